import { expect, test } from "vitest";
import { joinAnswers } from "./id-list-pages.js";
import type { RawDocument } from "./json-api-document.js";

const resource = (type: string, id: string, model?: string) => ({ type, id, attributes: { model } });

test("answers to parts of a list of ids are joined in its order, each resource once, with the time of the first", () => {
  const brand = resource("vehicle_brand", "a");
  const documents: RawDocument[] = [
    { data: [resource("car", "B"), resource("car", "x"), resource("car", "c")], included: [brand] },
    {
      data: [resource("motorbike", "b"), resource("car", "c", "again"), resource("car", "a")],
      included: [brand, resource("car", "a")],
    },
    { data: [], included: null },
    { data: [] },
  ];
  const answers = documents.map((document, at) => ({ document, lastModified: at === 0 ? "then" : "later" }));
  const { document, lastModified } = joinAnswers(answers, ["C", "a", "b"]);
  expect(document.data.map(({ type, id }) => `${type} ${id}`)).toEqual([
    "car c",
    "car a",
    "car B",
    "motorbike b",
  ]);
  expect(document.included?.map(({ type, id }) => `${type} ${id}`)).toEqual(["vehicle_brand a", "car a"]);
  expect(document.meta).toEqual({ overall_count: 4 });
  expect(lastModified).toBe("then");
  expect(joinAnswers([], ["a"])).toEqual({
    document: { data: [], included: [], meta: { overall_count: 0 } },
    lastModified: undefined,
  });
});
