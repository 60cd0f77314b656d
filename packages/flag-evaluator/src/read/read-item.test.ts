import { expect, test } from "vitest";
import { compileFlags, createContext, type FlagData } from "../index.js";

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
const good = { key: "a", version: 1, on: false, offVariation: 0, variations: ["off"] };
const tooDeep = "it is nested more than 500 levels deep";

const unreadable: readonly (readonly [what: string, flag: unknown, problem: string])[] = [
  ["a number", 5, "expected an object, got a number"],
  ["a list", [], "expected an object, got an array"],
  ["nested too deep", { ...good, version: 2, variations: [nested(501)] }, tooDeep],
  ["nested too deep, and later", { ...good, version: 3, variations: [nested(501)] }, tooDeep],
  [
    "with a number beyond 64 bits",
    { ...good, x: Number.POSITIVE_INFINITY },
    "it has a number beyond 64-bit floats",
  ],
  [
    "with a BigInt",
    { ...good, x: 1n },
    "it cannot be written as JSON: Do not know how to serialize a BigInt",
  ],
  [
    "that refuses to be written",
    {
      toJSON() {
        throw new Error("not me");
      },
    },
    "it cannot be written as JSON: not me",
  ],
  ["that writes nothing", { toJSON() {} }, "written as JSON it is no object"],
  ["that writes text", { toJSON: () => "{}" }, "written as JSON it is no object"],
];

const dataOf = (flag: unknown) => ({ flags: { a: flag }, segments: {} }) as FlagData;
const toldOf = (flags: ReturnType<typeof compileFlags>) => [
  flags.problems.map(({ message }) => message),
  flags.item("flags", "a")?.version,
  flags.evaluate("a", createContext({ key: "u" })).reason,
];

test.each(unreadable)("a flag that is %s is malformed, and says why", (_, flag, problem) => {
  const flags = compileFlags(dataOf(flag));
  expect(flags.problems.map(({ key, message }) => [key, message])).toEqual([["a", problem]]);
  expect(flags.evaluate("a", createContext({ key: "u" })).reason).toEqual({
    kind: "ERROR",
    errorKind: "MALFORMED_FLAG",
  });
});

test("what takes the place of a flag that cannot be read says what is wrong with itself", () => {
  for (const [before, one] of unreadable)
    for (const [after, other] of [...unreadable, ["good", good] as const]) {
      const replaced = compileFlags(dataOf(one)).replace(dataOf(other));
      expect(toldOf(replaced), `${before}, then ${after}`).toEqual(toldOf(compileFlags(dataOf(other))));
    }
});

test("what is as it was is not taken for another, readable or not", () => {
  for (const [what, flag] of [...unreadable, ["good", good] as const]) {
    const flags = compileFlags(dataOf(flag));
    expect(flags.replace(dataOf(flag)), what).toBe(flags);
  }
});

test("a whole number is read without its fraction, also below zero", () => {
  const evaluated = (members: object) => {
    const flag = { ...good, on: true, variations: ["a", "b"], ...members };
    return compileFlags(dataOf(flag)).evaluate("a", createContext({ key: "u" })).value;
  };
  expect(evaluated({ fallthrough: { variation: 1.9 } })).toBe("b");
  expect(evaluated({ fallthrough: { variation: 0.9 } })).toBe("a");
  expect(evaluated({ fallthrough: { variation: -0.9 } })).toBe("a");
  expect(evaluated({ fallthrough: { variation: -1 } })).toBeNull();
  expect(evaluated({ on: false, offVariation: -0.5 })).toBe("a");
});
