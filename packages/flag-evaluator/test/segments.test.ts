import { expect, test } from "vitest";
import { type BigSegments, compileFlags, createContext } from "../src/index.js";
import { dataOf, evaluateFirst, flag, flagWithClauses, type Item, segment } from "./flags.js";

const user = { kind: "user", key: "u", a: 1 };
const org = { kind: "org", key: "o" };
const both = { kind: "multi", user, org };
const always = { attribute: "key", op: "startsWith", values: [""] };
const asks = (...keys: readonly string[]): Item => ({ attribute: "", op: "segmentMatch", values: keys });

function kindFor(
  clause: Item,
  context: object,
  segments: readonly Item[],
  bigSegments?: BigSegments,
): string {
  const { reason } = evaluateFirst([flagWithClauses([clause])], context, { segments, bigSegments });
  return [reason.kind, reason.bigSegmentsStatus].filter(Boolean).join(" ");
}

const listed = [
  { name: "nobody", members: {}, contexts: { user: false, org: false, both: false } },
  {
    name: "an included user",
    members: { included: ["u"] },
    contexts: { user: true, org: false, both: true },
  },
  {
    name: "somebody else",
    members: { included: ["x", "o"] },
    contexts: { user: false, org: false, both: false },
  },
  {
    name: "an included organisation",
    members: { includedContexts: [{ contextKind: "org", values: ["o"] }] },
    contexts: { user: false, org: true, both: true },
  },
  {
    name: "an included context of kind user, which only counts beside others",
    members: { includedContexts: [{ contextKind: "user", values: ["u"] }] },
    contexts: { user: false, org: false, both: true },
  },
  {
    name: "an included context without a kind, likewise",
    members: { includedContexts: [{ values: ["u"] }] },
    contexts: { user: false, org: false, both: true },
  },
  {
    name: "an excluded user that a rule would take",
    members: { excluded: ["u"], rules: [{ clauses: [always] }] },
    contexts: { user: false, org: false, both: false },
  },
  {
    name: "an excluded organisation that a rule would take",
    members: { excludedContexts: [{ contextKind: "org", values: ["o"] }], rules: [{ clauses: [always] }] },
    contexts: { user: true, org: false, both: false },
  },
  {
    name: "a user both included and excluded",
    members: { included: ["u"], excluded: ["u"] },
    contexts: { user: true, org: false, both: true },
  },
  {
    name: "an organisation included and a user excluded",
    members: { includedContexts: [{ contextKind: "org", values: ["o"] }], excluded: ["u"] },
    contexts: { user: false, org: true, both: true },
  },
  {
    name: "a user included and an organisation excluded",
    members: { included: ["u"], excludedContexts: [{ contextKind: "org", values: ["o"] }] },
    contexts: { user: true, org: false, both: true },
  },
  {
    name: "whom a rule takes",
    members: { rules: [{ clauses: [{ attribute: "a", op: "in", values: [1] }] }] },
    contexts: { user: true, org: false, both: true },
  },
  {
    name: "whom any rule takes",
    members: { rules: [{ clauses: [{ attribute: "a", op: "in", values: [2] }] }, { clauses: [always] }] },
    contexts: { user: true, org: false, both: true },
  },
  {
    name: "whom all clauses of a rule take",
    members: { rules: [{ clauses: [always, { attribute: "a", op: "in", values: [2] }] }] },
    contexts: { user: false, org: false, both: false },
  },
  {
    name: "everybody, by a rule without clauses",
    members: { rules: [{}] },
    contexts: { user: true, org: true, both: true },
  },
];

for (const { name, members, contexts } of listed) {
  test(`a segment has ${name}`, () => {
    const segments = [segment("s", members)];
    const matches = (context: object) => kindFor(asks("s"), context, segments) === "RULE_MATCH";
    expect({ user: matches(user), org: matches(org), both: matches(both) }).toEqual(contexts);
  });
}

test("a clause asks several segments, skips those that do not exist, and can be negated", () => {
  const segments = [
    segment("no"),
    segment("yes", { included: ["u"] }),
    { key: "gone", version: 2, deleted: true },
  ];
  expect(kindFor(asks("missing", "gone", "no", "yes"), user, segments)).toBe("RULE_MATCH");
  expect(kindFor({ ...asks("missing", "gone", "no"), negate: true }, user, segments)).toBe("RULE_MATCH");
  expect(kindFor({ ...asks("no", "yes"), negate: true }, user, segments)).toBe("FALLTHROUGH");
  expect(kindFor({ op: "segmentMatch", values: [1, null, {}, ["yes"], "yes"] }, user, segments)).toBe(
    "RULE_MATCH",
  );
});

const nested = [
  {
    name: "through another",
    segments: [segment("a", { rules: [{ clauses: [asks("b")] }] }), segment("b", { included: ["u"] })],
    kind: "RULE_MATCH",
  },
  {
    name: "not in another, negated",
    segments: [segment("a", { rules: [{ clauses: [{ ...asks("b"), negate: true }] }] }), segment("b")],
    kind: "RULE_MATCH",
  },
  { name: "of itself", segments: [segment("a", { rules: [{ clauses: [asks("a")] }] })], kind: "ERROR" },
  {
    name: "of a circle",
    segments: [
      segment("a", { rules: [{ clauses: [asks("b")] }] }),
      segment("b", { rules: [{ clauses: [asks("a")] }] }),
    ],
    kind: "ERROR",
  },
  {
    name: "of a circle, negated",
    segments: [segment("a", { rules: [{ clauses: [{ ...asks("a"), negate: true }] }] })],
    kind: "ERROR",
  },
  {
    name: "of a circle that is not reached",
    segments: [segment("a", { included: ["u"], rules: [{ clauses: [asks("a")] }] })],
    kind: "RULE_MATCH",
  },
  {
    name: "of a diamond",
    segments: [
      segment("a", { rules: [{ clauses: [asks("b", "c")] }] }),
      segment("b", { rules: [{ clauses: [asks("d")] }] }),
      segment("c", { rules: [{ clauses: [{ ...asks("d"), negate: true }] }] }),
      segment("d"),
    ],
    kind: "RULE_MATCH",
  },
  {
    name: "with a malformed clause",
    segments: [segment("a", { rules: [{ clauses: [{ op: "in", values: [] }] }] })],
    kind: "ERROR",
  },
  { name: "that cannot be read", segments: [segment("a", { included: [1] })], kind: "ERROR" },
];

for (const { name, segments, kind } of nested) {
  test(`a segment ${name}`, () => {
    expect(kindFor(asks("a"), user, segments)).toBe(kind);
  });
}

test("who comes to a circle of segments from several sides always finds it", () => {
  const ring = ["a", "b", "c"].map((key, i) =>
    segment(key, { rules: [{ clauses: [asks("abc"[(i + 1) % 3] ?? "")] }] }),
  );
  const flags = ["a", "b", "c"].map((key) => flag(key, { rules: [{ clauses: [asks(key)], variation: 1 }] }));
  const all = JSON.parse(
    compileFlags(dataOf(flags, ring)).evaluateAll(createContext(user), { withReasons: true }),
  );
  expect(Object.values(all)).toEqual(
    flags.map(() => expect.objectContaining({ reason: { kind: "ERROR", errorKind: "MALFORMED_FLAG" } })),
  );
});

const big = segment("big", { unbounded: true, generation: 2 });
const byRule = { rules: [{ clauses: [always] }] };
const members = (
  status: "HEALTHY" | "STALE" | "STORE_ERROR",
  ...entries: readonly (readonly [string, boolean])[]
): BigSegments => new Map([["u", { status, segments: new Map(entries) }]]);

const bigSegments = [
  {
    name: "included",
    segment: big,
    memberships: members("HEALTHY", ["big.g2", true]),
    result: "RULE_MATCH HEALTHY",
  },
  {
    name: "excluded, whatever the rules say",
    segment: { ...big, ...byRule },
    memberships: members("HEALTHY", ["big.g2", false]),
    result: "FALLTHROUGH HEALTHY",
  },
  {
    name: "neither, so that rules decide",
    segment: { ...big, ...byRule },
    memberships: members("STALE"),
    result: "RULE_MATCH STALE",
  },
  {
    name: "of another generation",
    segment: big,
    memberships: members("HEALTHY", ["big.g1", true]),
    result: "FALLTHROUGH HEALTHY",
  },
  {
    name: "unknown because the store failed",
    segment: { ...big, ...byRule },
    memberships: new Map([["u", { status: "STORE_ERROR" as const }]]),
    result: "RULE_MATCH STORE_ERROR",
  },
  {
    name: "unknown because it was not asked for",
    segment: big,
    memberships: new Map(),
    result: "FALLTHROUGH STORE_ERROR",
  },
  {
    name: "unknown because there is no store",
    segment: big,
    memberships: undefined,
    result: "FALLTHROUGH NOT_CONFIGURED",
  },
  {
    name: "unknown because there is no store, so that rules decide",
    segment: { ...big, ...byRule },
    memberships: undefined,
    result: "RULE_MATCH NOT_CONFIGURED",
  },
  {
    name: "without a generation",
    segment: { ...big, ...byRule, generation: null },
    memberships: members("HEALTHY", ["big.g2", true]),
    result: "FALLTHROUGH NOT_CONFIGURED",
  },
  {
    name: "of generation 0",
    segment: { ...big, generation: 0 },
    memberships: members("HEALTHY", ["big.g0", true]),
    result: "RULE_MATCH HEALTHY",
  },
  {
    name: "of another kind",
    segment: { ...big, ...byRule, unboundedContextKind: "org" },
    memberships: members("HEALTHY"),
    result: "FALLTHROUGH",
  },
  {
    name: "of an empty kind, which is that of users",
    segment: { ...big, unboundedContextKind: "" },
    memberships: members("HEALTHY", ["big.g2", true]),
    result: "RULE_MATCH HEALTHY",
  },
  {
    name: "with lists, which do not count",
    segment: { ...big, included: ["u"] },
    memberships: members("HEALTHY"),
    result: "FALLTHROUGH HEALTHY",
  },
];

for (const { name, segment: one, memberships, result } of bigSegments) {
  test(`a membership in a big segment: ${name}`, () => {
    expect(kindFor(asks("big"), user, [one], memberships)).toBe(result);
  });
}

test("of several statuses the worst is reported, for the flag that asked and for those that ask it", () => {
  const segments = [
    segment("users", { unbounded: true, generation: 1 }),
    segment("orgs", { unbounded: true, generation: 1, unboundedContextKind: "org" }),
    segment("broken", { unbounded: true }),
  ];
  const flags = [
    flag("a", { rules: [{ clauses: [asks("users")], variation: 1 }] }),
    flag("b", { rules: [{ clauses: [asks("users", "orgs")], variation: 1 }] }),
    flag("c", { rules: [{ clauses: [asks("orgs", "broken", "users")], variation: 1 }] }),
    flag("d", {
      prerequisites: [{ key: "b", variation: 0 }],
      rules: [{ clauses: [asks("users")], variation: 1 }],
    }),
    flag("e", {
      prerequisites: [
        { key: "a", variation: 1 },
        { key: "c", variation: 0 },
      ],
    }),
    flag("f"),
  ];
  const memberships: BigSegments = new Map([
    ["u", { status: "STALE" }],
    ["o", { status: "HEALTHY" }],
  ]);
  const evaluator = compileFlags(dataOf(flags, segments));
  const options = { withReasons: true, bigSegments: memberships };
  const all = JSON.parse(evaluator.evaluateAll(createContext(both), options));
  const expected = { a: "STALE", b: "STALE", c: "NOT_CONFIGURED", d: "STALE", e: "STALE", f: undefined };
  expect(
    Object.fromEntries(Object.keys(expected).map((key) => [key, all[key].reason.bigSegmentsStatus])),
  ).toEqual(expected);
  const alone = Object.keys(expected).map((key) => [
    key,
    evaluator.evaluate(key, createContext(both), options).reason.bigSegmentsStatus,
  ]);
  expect(Object.fromEntries(alone)).toEqual(expected);
});

test("the outcomes of a flag keep apart, and the states of big segments on the way to them", () => {
  const rules = Array.from({ length: 12 }, (_, at) => ({
    id: `rule-${at}`,
    clauses: [{ attribute: "number", op: "in", values: [at] }],
    variation: at,
  }));
  const members = { id: "members", clauses: [asks("members")], variation: 0 };
  const variations = rules.map(({ id }) => id);
  const evaluator = compileFlags(
    dataOf(
      [flag("asked", { variations, rules: [members, ...rules] })],
      [segment("members", { unbounded: true, generation: 1 })],
    ),
  );
  const statuses = ["HEALTHY", "STALE", "STORE_ERROR", "NOT_CONFIGURED"] as const;
  for (const [at, { id }] of rules.entries()) {
    for (const status of statuses) {
      const options = { withReasons: true, bigSegments: new Map([["u", { status }]]) };
      const reason = { kind: "RULE_MATCH", ruleIndex: at + 1, ruleId: id, bigSegmentsStatus: status };
      const context = createContext({ kind: "user", key: "u", number: at });
      expect(evaluator.evaluate("asked", context, options)).toMatchObject({ value: id, reason });
      expect(JSON.parse(evaluator.evaluateAll(context, options)).asked).toMatchObject({ value: id, reason });
    }
  }
});

test("an evaluator says which queries about big segments a context needs", () => {
  const segments = [
    segment("direct", { unbounded: true, generation: 1 }),
    segment("outer", { rules: [{ clauses: [asks("inner")] }] }),
    segment("inner", { unbounded: true, generation: 3, unboundedContextKind: "org" }),
    segment("unused", { unbounded: true, generation: 1 }),
    segment("unready", { unbounded: true }),
    { key: "gone", version: 1, deleted: true },
  ];
  const flags = [
    flag("a", {
      rules: [
        { clauses: [asks("direct", "unready", "gone", "missing")], variation: 1 },
        { clauses: [asks("outer")], variation: 1 },
      ],
    }),
  ];
  const evaluator = compileFlags(dataOf(flags, segments));
  expect(evaluator.bigSegmentsFor(createContext(both))).toEqual([
    { contextKey: "u", references: ["direct.g1"] },
    { contextKey: "o", references: ["inner.g3"] },
  ]);
  expect(evaluator.bigSegmentsFor(createContext(org))).toEqual([
    { contextKey: "o", references: ["inner.g3"] },
  ]);
  expect(evaluator.bigSegmentsFor(createContext({ kind: "device", key: "d" }))).toEqual([]);
  const same = createContext({ kind: "multi", user: { key: "k" }, org: { key: "k" } });
  expect(evaluator.bigSegmentsFor(same)).toEqual([
    { contextKey: "k", references: ["direct.g1", "inner.g3"] },
  ]);
});
