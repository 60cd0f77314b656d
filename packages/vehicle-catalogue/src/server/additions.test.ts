import { expect, test } from "vitest";
import { type Addition, type AdditionSources, additionKinds, additionsOf } from "./additions.js";

test.each<[sources: AdditionSources, additions: readonly Addition[]]>([
  [{}, []],
  [{ extension: undefined, additions: undefined }, []],
  [{ extension: {}, additions: {}, announcesLimit: false, maxAgeSeconds: 0 }, []],
  [{ extension: { openValues: false, attributes: {} } }, []],
  [{ extension: { openValues: true } }, ["open_values"]],
  [{ extension: { attributes: { a: {} } } }, ["attributes"]],
  [{ additions: { attributeFilters: false, sort: false, updatedSince: false } }, []],
  [{ additions: { attributeFilters: true } }, ["attribute_filters"]],
  [{ additions: { sort: true } }, ["sort"]],
  [{ additions: { updatedSince: true } }, ["updated_since"]],
  [{ announcesLimit: true }, ["rate_limit_headers"]],
  [{ maxAgeSeconds: 1 }, ["max_age"]],
  [
    {
      maxAgeSeconds: 1,
      announcesLimit: true,
      additions: { updatedSince: true, sort: true, attributeFilters: true },
      extension: { attributes: { a: {} }, openValues: true },
    },
    Object.keys(additionKinds) as Addition[],
  ],
])("%j is made of the additions %j", (sources, additions) => {
  expect(additionsOf(sources)).toEqual(additions);
});

test("each addition has the words that tell it from the others", () => {
  expect(additionKinds).toEqual({
    open_values: expect.stringContaining("may have texts that are not documented"),
    attributes: "Vehicles have attributes that are not documented.",
    attribute_filters: "Filters on attributes.",
    sort: "An order of one's choice.",
    updated_since: "`Last-Modified`, and a filter on the time of the last change.",
    rate_limit_headers: "Headers that tell what is left of the rate limit.",
    max_age: "Documents may be used for a while without asking again.",
  });
});
