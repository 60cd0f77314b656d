import { expect, test } from "vitest";
import { compileFlags, createContext } from "../src/index.js";
import { dataOf, evaluateFirst, flag, flagWithClauses, type Item } from "./flags.js";

const user = { kind: "user", key: "u" };
const malformed = { kind: "ERROR", errorKind: "MALFORMED_FLAG" };
const always = { attribute: "key", op: "startsWith", values: [""] };
const never = { attribute: "key", op: "in", values: [] };

interface Case {
  readonly name: string;
  readonly flag: Item;
  readonly expected: Item;
}

const offAndFallthrough: readonly Case[] = [
  { name: "off", flag: { on: false }, expected: { value: "c", variation: 2, reason: { kind: "OFF" } } },
  {
    name: "off without a variation",
    flag: { on: false, offVariation: null },
    expected: { value: null, variation: undefined, reason: { kind: "OFF" } },
  },
  {
    name: "off with a negative variation",
    flag: { on: false, offVariation: -1 },
    expected: { value: null, variation: undefined, reason: malformed },
  },
  {
    name: "off with a variation beyond the last",
    flag: { on: false, offVariation: 3 },
    expected: { value: null, variation: undefined, reason: malformed },
  },
  { name: "fallthrough", flag: {}, expected: { value: "a", variation: 0, reason: { kind: "FALLTHROUGH" } } },
  {
    name: "fallthrough to a negative variation",
    flag: { fallthrough: { variation: -1 } },
    expected: { variation: undefined, reason: malformed },
  },
  {
    name: "fallthrough to a variation beyond the last",
    flag: { fallthrough: { variation: 3 } },
    expected: { variation: undefined, reason: malformed },
  },
  {
    name: "fallthrough to nothing",
    flag: { fallthrough: {} },
    expected: { variation: undefined, reason: malformed },
  },
  {
    name: "no fallthrough",
    flag: { fallthrough: null },
    expected: { variation: undefined, reason: malformed },
  },
  {
    name: "fallthrough to a rollout without shares",
    flag: { fallthrough: { rollout: { variations: [] } } },
    expected: { variation: undefined, reason: malformed },
  },
  { name: "no variations", flag: { variations: [] }, expected: { variation: undefined, reason: malformed } },
  {
    name: "a variation with a fraction",
    flag: { fallthrough: { variation: 1.9 } },
    expected: { variation: 1 },
  },
];

const rules: readonly Case[] = [
  {
    name: "a rule with an id",
    flag: { rules: [{ id: "r", clauses: [always], variation: 1 }] },
    expected: { variation: 1, reason: { kind: "RULE_MATCH", ruleIndex: 0, ruleId: "r" } },
  },
  {
    name: "a rule without an id",
    flag: { rules: [{ clauses: [always], variation: 1 }] },
    expected: { reason: { kind: "RULE_MATCH", ruleIndex: 0 } },
  },
  {
    name: "a rule without clauses",
    flag: { rules: [{ id: "r", variation: 1 }] },
    expected: { reason: { kind: "RULE_MATCH", ruleIndex: 0, ruleId: "r" } },
  },
  {
    name: "the first rule that matches",
    flag: {
      rules: [
        { clauses: [never], variation: 0 },
        { clauses: [always], variation: 1 },
        { clauses: [always], variation: 2 },
      ],
    },
    expected: { variation: 1, reason: { kind: "RULE_MATCH", ruleIndex: 1 } },
  },
  {
    name: "a rule of which one clause does not match",
    flag: { rules: [{ clauses: [always, never], variation: 1 }] },
    expected: { reason: { kind: "FALLTHROUGH" } },
  },
  {
    name: "a rule with a variation beyond the last",
    flag: { rules: [{ clauses: [always], variation: 3 }] },
    expected: { variation: undefined, reason: malformed },
  },
  {
    name: "a rule with a negative variation",
    flag: { rules: [{ clauses: [always], variation: -1 }] },
    expected: { reason: malformed },
  },
  {
    name: "a rule that leads nowhere",
    flag: { rules: [{ clauses: [always] }] },
    expected: { reason: malformed },
  },
  {
    name: "a rule with a rollout without shares",
    flag: { rules: [{ clauses: [always], rollout: { variations: [] } }] },
    expected: { reason: malformed },
  },
];

const plain = { variation: 1, values: ["u"] };
const targets: readonly Case[] = [
  {
    name: "a plain target",
    flag: { targets: [plain] },
    expected: { variation: 1, reason: { kind: "TARGET_MATCH" } },
  },
  {
    name: "the first of plain targets",
    flag: { targets: [{ variation: 2, values: ["x", "u"] }, plain] },
    expected: { variation: 2 },
  },
  {
    name: "targets before rules",
    flag: { targets: [plain], rules: [{ clauses: [always], variation: 2 }] },
    expected: { reason: { kind: "TARGET_MATCH" } },
  },
  {
    name: "somebody else's target",
    flag: { targets: [{ variation: 1, values: ["x"] }] },
    expected: { reason: { kind: "FALLTHROUGH" } },
  },
  {
    name: "a target with a variation beyond the last",
    flag: { targets: [{ variation: 3, values: ["u"] }] },
    expected: { variation: undefined, reason: malformed },
  },
  {
    name: "a target with a negative variation",
    flag: { targets: [{ variation: -1, values: ["u"] }] },
    expected: { reason: malformed },
  },
  {
    name: "a plain target with a kind",
    flag: { targets: [{ ...plain, contextKind: "org" }] },
    expected: { reason: { kind: "FALLTHROUGH" } },
  },
  {
    name: "plain targets alone do not count beside context targets",
    flag: { targets: [plain], contextTargets: [{ contextKind: "org", variation: 2, values: ["o"] }] },
    expected: { reason: { kind: "FALLTHROUGH" } },
  },
  {
    name: "an empty context target stands for the plain one",
    flag: { targets: [plain], contextTargets: [{ variation: 1, values: [] }] },
    expected: { variation: 1, reason: { kind: "TARGET_MATCH" } },
  },
  {
    name: "an empty context target of kind user does too",
    flag: { targets: [plain], contextTargets: [{ contextKind: "user", variation: 1 }] },
    expected: { variation: 1 },
  },
  {
    name: "an empty context target of another variation does not",
    flag: { targets: [plain], contextTargets: [{ variation: 2, values: [] }] },
    expected: { reason: { kind: "FALLTHROUGH" } },
  },
  {
    name: "a context target of kind user with keys of its own",
    flag: { targets: [plain], contextTargets: [{ variation: 2, values: ["u"] }] },
    expected: { variation: 2 },
  },
  {
    name: "the order of context targets counts",
    flag: {
      targets: [{ variation: 0, values: ["u"] }, plain],
      contextTargets: [
        { variation: 1, values: [] },
        { variation: 0, values: [] },
      ],
    },
    expected: { variation: 1 },
  },
];

for (const { name, flag: members, expected } of [...offAndFallthrough, ...rules, ...targets]) {
  test(`a user is given: ${name}`, () => {
    expect(evaluateFirst([flag("flag", members)], user)).toMatchObject(expected);
  });
}

test("context targets of several kinds count in their order", () => {
  const contextTargets = [
    { contextKind: "org", variation: 1, values: ["o"] },
    { contextKind: "user", variation: 2, values: ["u"] },
  ];
  const both = { kind: "multi", user: { key: "u" }, org: { key: "o" } };
  const variationOf = (flags: readonly Item[], context: object) => evaluateFirst(flags, context).variation;
  expect(variationOf([flag("flag", { contextTargets })], both)).toBe(1);
  expect(variationOf([flag("flag", { contextTargets: contextTargets.toReversed() })], both)).toBe(2);
  expect(variationOf([flag("flag", { contextTargets })], { kind: "org", key: "u" })).toBe(0);
});

const on = flag("on");
const prerequisites = [
  {
    name: "that is met",
    others: [on],
    wanted: [{ key: "on", variation: 0 }],
    reason: "FALLTHROUGH",
    evaluated: ["on"],
  },
  {
    name: "with another variation",
    others: [on],
    wanted: [{ key: "on", variation: 1 }],
    reason: "PREREQUISITE_FAILED on",
    evaluated: ["on"],
  },
  {
    name: "that is missing",
    others: [],
    wanted: [{ key: "on", variation: 0 }],
    reason: "PREREQUISITE_FAILED on",
    evaluated: [],
  },
  {
    name: "that is deleted",
    others: [{ key: "on", version: 2, deleted: true }],
    wanted: [{ key: "on", variation: 0 }],
    reason: "PREREQUISITE_FAILED on",
    evaluated: [],
  },
  {
    name: "that is off but has the variation",
    others: [flag("off", { on: false })],
    wanted: [{ key: "off", variation: 2 }],
    reason: "PREREQUISITE_FAILED off",
    evaluated: ["off"],
  },
  {
    name: "that has no variation",
    others: [flag("none", { fallthrough: { variation: 9 } })],
    wanted: [{ key: "none", variation: 9 }],
    reason: "PREREQUISITE_FAILED none",
    evaluated: ["none"],
  },
  {
    name: "that has no variation where -1 is wanted",
    others: [flag("none", { fallthrough: {} })],
    wanted: [{ key: "none", variation: -1 }],
    reason: "PREREQUISITE_FAILED none",
    evaluated: ["none"],
  },
  {
    name: "that is met, and another that is not",
    others: [on],
    wanted: [
      { key: "on", variation: 0 },
      { key: "on", variation: 1 },
      { key: "x", variation: 0 },
    ],
    reason: "PREREQUISITE_FAILED on",
    evaluated: ["on", "on"],
  },
  {
    name: "that fails, before another",
    others: [on],
    wanted: [
      { key: "x", variation: 0 },
      { key: "on", variation: 0 },
    ],
    reason: "PREREQUISITE_FAILED x",
    evaluated: [],
  },
  {
    name: "that is malformed",
    others: [on, flagWithClauses([{ op: "in" }], { key: "bad" })],
    wanted: [
      { key: "on", variation: 0 },
      { key: "bad", variation: 0 },
    ],
    reason: "ERROR",
    evaluated: ["on"],
  },
  {
    name: "that is itself",
    others: [],
    wanted: [{ key: "flag", variation: 0 }],
    reason: "ERROR",
    evaluated: [],
  },
  {
    name: "of a circle",
    others: [flag("b", { prerequisites: [{ key: "flag", variation: 0 }] })],
    wanted: [{ key: "b", variation: 0 }],
    reason: "ERROR",
    evaluated: [],
  },
  {
    name: "before a circle that is not reached",
    others: [flag("b", { prerequisites: [{ key: "flag", variation: 0 }] })],
    wanted: [
      { key: "x", variation: 0 },
      { key: "b", variation: 0 },
    ],
    reason: "PREREQUISITE_FAILED x",
    evaluated: [],
  },
  {
    name: "of a diamond",
    others: [
      on,
      flag("b", { prerequisites: [{ key: "on", variation: 0 }] }),
      flag("c", { prerequisites: [{ key: "on", variation: 0 }] }),
    ],
    wanted: [
      { key: "b", variation: 0 },
      { key: "c", variation: 0 },
    ],
    reason: "FALLTHROUGH",
    evaluated: ["b", "c"],
  },
  {
    name: "that cannot be read",
    others: [{ key: "bad", on: "yes" }],
    wanted: [{ key: "bad", variation: 0 }],
    reason: "ERROR",
    evaluated: [],
  },
];

for (const { name, others, wanted, reason, evaluated } of prerequisites) {
  test(`a prerequisite ${name}`, () => {
    const detail = evaluateFirst([flag("flag", { prerequisites: wanted }), ...others], user);
    const { kind, prerequisiteKey } = detail.reason;
    expect([kind, prerequisiteKey].filter(Boolean).join(" ")).toBe(reason);
    expect(detail.prerequisites).toEqual(evaluated);
    expect(detail.variation).toBe({ FALLTHROUGH: 0, PREREQUISITE_FAILED: 2 }[kind as string]);
  });
}

test("an off flag does not look at its prerequisites", () => {
  const detail = evaluateFirst(
    [flag("flag", { on: false, prerequisites: [{ key: "on", variation: 0 }] }), on],
    user,
  );
  expect(detail).toMatchObject({ reason: { kind: "OFF" }, prerequisites: [] });
});

test("all evaluations of a circle fail, from wherever they begin", () => {
  const ring = ["a", "b", "c"].map((key, i) =>
    flag(key, { prerequisites: [{ key: "abc"[(i + 1) % 3], variation: 0 }] }),
  );
  const evaluator = compileFlags(
    dataOf([...ring, flag("d", { prerequisites: [{ key: "b", variation: 0 }] })]),
  );
  const context = createContext(user);
  const all = JSON.parse(evaluator.evaluateAll(context, { withReasons: true }));
  expect(Object.keys(all).map((key) => [key, all[key].reason])).toEqual(
    ["a", "b", "c", "d"].map((key) => [key, malformed]),
  );
  expect(["a", "b", "c", "d"].map((key) => evaluator.evaluate(key, context).reason)).toEqual(
    Array(4).fill(malformed),
  );
});

const values = [
  true,
  false,
  0,
  -1.5,
  1e21,
  "",
  "ключ 😀 \u0001\u2028",
  null,
  [],
  [1, [null, { a: 1 }]],
  {},
  { a: { b: [1, "x"] } },
];

for (const value of values) {
  test(`a variation can have the value ${JSON.stringify(value)}`, () => {
    expect(evaluateFirst([flag("flag", { variations: [value] })], user).value).toEqual(value);
  });
}

test("each evaluation gives a value of its own", () => {
  const evaluator = compileFlags(dataOf([flag("flag", { variations: [{ list: [1] }] })]));
  const first = evaluator.evaluate("flag", createContext(user)).value;
  Object.assign(Object(first), { list: "changed" });
  expect(evaluator.evaluate("flag", createContext(user)).value).toEqual({ list: [1] });
});

const fallbacks = [
  { name: "the same type, boolean", variations: [true], fallback: false, value: true, reason: "FALLTHROUGH" },
  { name: "the same type, text", variations: ["x"], fallback: "y", value: "x", reason: "FALLTHROUGH" },
  { name: "the same type, number", variations: [1], fallback: 2, value: 1, reason: "FALLTHROUGH" },
  { name: "another type", variations: ["x"], fallback: false, value: false, reason: "WRONG_TYPE" },
  { name: "another type, null", variations: [null], fallback: 1, value: 1, reason: "WRONG_TYPE" },
  {
    name: "JSON, which may be anything",
    variations: ["x"],
    fallback: { a: 1 },
    value: "x",
    reason: "FALLTHROUGH",
  },
  {
    name: "null, which may be anything",
    variations: ["x"],
    fallback: null,
    value: "x",
    reason: "FALLTHROUGH",
  },
  { name: "no variation", variations: [], fallback: "y", value: "y", reason: "MALFORMED_FLAG" },
];

for (const { name, variations, fallback, value, reason } of fallbacks) {
  test(`a fallback for ${name}`, () => {
    const evaluator = compileFlags(dataOf([flag("flag", { variations })]));
    const detail = evaluator.evaluate("flag", createContext(user), { fallback });
    expect(detail.value).toEqual(value);
    expect(detail.reason.errorKind ?? detail.reason.kind).toBe(reason);
  });
}

test("a flag that is missing or deleted gives the fallback and says so", () => {
  const evaluator = compileFlags(dataOf([{ key: "gone", version: 3, deleted: true }]));
  const missing = {
    variation: undefined,
    reason: { kind: "ERROR", errorKind: "FLAG_NOT_FOUND" },
    version: undefined,
  };
  expect(evaluator.evaluate("none", createContext(user))).toMatchObject({ ...missing, value: null });
  expect(evaluator.evaluate("gone", createContext(user), { fallback: 1 })).toMatchObject({
    ...missing,
    value: 1,
  });
});

test("a detail says what events need to know", () => {
  const evaluator = compileFlags(
    dataOf([
      flag("plain", { version: 7 }),
      flag("tracked", { trackEvents: true }),
      flag("experiment", { trackEventsFallthrough: true }),
      flag("rule", { rules: [{ clauses: [always], variation: 1, trackEvents: true }] }),
    ]),
  );
  const said = (key: string) => {
    const { version, trackEvents, trackReason } = evaluator.evaluate(key, createContext(user));
    return { version, trackEvents, trackReason };
  };
  expect(said("plain")).toEqual({ version: 7, trackEvents: false, trackReason: false });
  expect(said("tracked")).toEqual({ version: 1, trackEvents: true, trackReason: false });
  expect(said("experiment")).toEqual({ version: 1, trackEvents: true, trackReason: true });
  expect(said("rule")).toEqual({ version: 1, trackEvents: true, trackReason: true });
});

test("what is no context is a mistake in the program", () => {
  const evaluator = compileFlags(dataOf([on]));
  expect(() => evaluator.evaluate("on", user as never)).toThrow(TypeError);
  expect(() => evaluator.evaluateAll({ key: "u" } as never)).toThrow(/createContext/);
});
