import type { LoadReport } from "@wye/vehicle-catalogue/server";
import { expect, test } from "vitest";
import { folderWith } from "../../test/run-program.js";
import { readCorrections, staleHint } from "./corrections.js";

const hint = "not apply (any more): `wye vehicles check` with the same --corrections tells them";
const stale = { id: "a", field: "model", message: "is no longer 1" };

test.each<[listed: number | undefined, omitted: number, said: string | undefined]>([
  [undefined, 0, undefined],
  [0, 0, undefined],
  [1, 0, `1 correction does ${hint}`],
  [2, 0, `2 corrections do ${hint}`],
  [2, 40, `42 corrections do ${hint}`],
])("of %s corrections that do not apply, and %i more, is said: %s", (listed, omitted, said) => {
  const staleCorrections = listed === undefined ? {} : { staleCorrections: Array(listed).fill(stale) };
  const report = { ...staleCorrections, omitted: { problems: 7, repairs: 7, staleCorrections: omitted } };
  expect(staleHint(report as unknown as LoadReport)).toBe(said);
});

test("without a file of corrections there are none", async () => {
  expect(await readCorrections(undefined, { cwd: "/" })).toEqual({});
});

test("corrections are read where the program runs", async () => {
  const corrections = [{ id: "a", set: { model: "B" } }];
  const host = folderWith({ "c.json": JSON.stringify(corrections) });
  expect(await readCorrections("c.json", host)).toEqual({ corrections });
});

test.each([
  ["c.json", "{", /^the corrections of c\.json: .*JSON/],
  ["c.json", '{"id":"a"}', /^the corrections of c\.json: /],
  ["c.json", '[{"id":"a","sett":{}}]', /^the corrections of c\.json: /],
  ["c\u001b.json", "[1]", /^the corrections of c\\x1b\.json: /],
])("corrections in %j that are %s are refused, by the name of their file", async (name, text, message) => {
  const reading = readCorrections(name, folderWith({ [name]: text }));
  await expect(reading).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringMatching(message),
  });
});

test("corrections that are not there are refused, by the name of their file", async () => {
  await expect(readCorrections("c.json", folderWith({}))).rejects.toThrow(
    /^the corrections of c\.json: ENOENT/,
  );
});
