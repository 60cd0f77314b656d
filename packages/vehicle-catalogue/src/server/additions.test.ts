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
