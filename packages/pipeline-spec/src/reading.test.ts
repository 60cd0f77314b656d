import { expect, test } from "vitest";
import { Reading, readLimits } from "./reading.js";

test("values nest 100 levels deep unless something else is said, and 1,000 at most", () => {
  expect(readLimits({})).toEqual({ maxDepth: 100, maxProblems: 1000 });
  expect(readLimits({ maxDepth: 999, maxProblems: 0 })).toEqual({ maxDepth: 999, maxProblems: 0 });
  expect(readLimits({ maxDepth: 1e9, maxProblems: 1e9 })).toEqual({ maxDepth: 1000, maxProblems: 1e9 });
  expect(new Reading({ maxDepth: 1001 }).maxDepth).toBe(1000);
});

test.each([
  [[], {}],
  [["b"], { hint: 'use "b" instead' }],
  [["b", "c", "d"], { hint: 'use "b" or "c" or "d" instead' }],
])("a deprecated field is told with what replaces it: %j", (replacedBy, hint) => {
  const reading = new Reading();
  reading.path.push("x", 0);
  reading.deprecated("a", replacedBy);
  const told = { code: "deprecated-field", severity: "info", path: "/x/0", message: '"a" is deprecated' };
  expect(reading.list()).toStrictEqual([{ ...told, ...hint }]);
  expect(reading.failed).toBe(false);
  const silent = new Reading({ deprecations: false });
  silent.deprecated("a", replacedBy);
  expect(silent.counts).toEqual({ error: 0, warning: 0, info: 0 });
});

test("unknown fields are errors, or nothing", () => {
  expect(new Reading().unknownFields).toBe("error");
  expect(new Reading({ ignoreUnknownFields: false }).unknownFields).toBe("error");
  expect(new Reading({ ignoreUnknownFields: true }).unknownFields).toBeUndefined();
});

test("problems are listed up to the limit, and the remark on the others comes last", () => {
  const reading = new Reading({ maxProblems: 2 });
  reading.note("info", "deprecated-field", "i");
  expect(reading.failed).toBe(false);
  expect(reading.isFull("info")).toBe(false);
  reading.note("warning", "reserved-field", "w");
  expect([reading.isFull("info"), reading.isFull("warning"), reading.isFull("error")]).toEqual([
    true,
    false,
    false,
  ]);
  reading.error("wrong-type", "e", "h");
  expect(reading.failed).toBe(true);
  expect(reading.listed().map(({ message }) => message)).toEqual(["e", "w"]);
  expect(reading.unlisted()).toEqual({ error: 0, warning: 0, info: 1 });
  expect(reading.list().map(({ message }) => message)).toEqual(["e", "w", "not listed: 1 more remark"]);
});
