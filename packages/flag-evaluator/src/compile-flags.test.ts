import { describe, expect, test } from "vitest";
import { compileFlags, createContext } from "./index.js";

const context = createContext({ kind: "user", key: "u" });

/** A flag that has another one as its prerequisite, and that another one, so many times. */
function prerequisites(levels: number): object {
  const flags = Array.from({ length: levels + 1 }, (_, n) => {
    const inner = n === levels ? [] : [{ key: `f${n + 1}`, variation: 0 }];
    const flag = { version: 1, on: true, variations: ["a"], fallthrough: { variation: 0 } };
    return [`f${n}`, { ...flag, key: `f${n}`, prerequisites: inner }];
  });
  return { flags: Object.fromEntries(flags) };
}

/** A flag that asks for a segment, in which another one is asked for, and so on, so many times. */
function segments(levels: number): object {
  const clause = (key: string) => ({ op: "segmentMatch", attribute: "", values: [key] });
  const rules = [{ variation: 0, clauses: [clause("s0")] }];
  const flag = {
    key: "f0",
    version: 1,
    on: true,
    variations: ["a", "b"],
    rules,
    fallthrough: { variation: 1 },
  };
  const all = Array.from({ length: levels + 1 }, (_, n) => {
    const segment = { key: `s${n}`, version: 1 };
    const inner = n === levels ? { included: ["u"] } : { rules: [{ clauses: [clause(`s${n + 1}`)] }] };
    return [`s${n}`, { ...segment, ...inner }];
  });
  return { flags: { f0: flag }, segments: Object.fromEntries(all) };
}

describe.each([
  ["prerequisites", prerequisites],
  ["segments", segments],
])("%s within each other", (_, nested) => {
  test.each([
    [undefined, 256],
    [1, 1],
    [500, 500],
  ])("with a maxNesting of %s may be %d levels deep, and no deeper", (maxNesting, most) => {
    const options = maxNesting === undefined ? {} : { maxNesting };
    const reasonAt = (levels: number) =>
      compileFlags(nested(levels), options).evaluate("f0", context).reason.errorKind;
    expect([reasonAt(most), reasonAt(most + 1)]).toEqual([undefined, "MALFORMED_FLAG"]);
  });
});

test.each([0, -1, 501, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5", null])(
  "a maxNesting of %j is refused",
  (maxNesting) => {
    expect(() => compileFlags({}, { maxNesting: maxNesting as number })).toThrow(
      new TypeError(`maxNesting must be a whole number from 1 to 500, not ${maxNesting}`),
    );
  },
);
