import fc from "fast-check";
import { expect, test } from "vitest";
import { compileFlags, createContext, type FlagData, formatExplanation, parseContext } from "../src/index.js";
import { dataOf, flag, flagWithClauses, type Item, segment } from "./flags.js";
import { Random } from "./random.js";
import { wildContext, wildData } from "./wild-data.js";

const user = createContext({ kind: "user", key: "u" });
const malformed = { kind: "ERROR", errorKind: "MALFORMED_FLAG" };

/** Asks everything there is to ask; what must hold whatever the data are is checked on the way. */
function askAll(data: FlagData, contexts: readonly string[]): void {
  const evaluator = compileFlags(data);
  for (const text of contexts) {
    const result = parseContext(text);
    if (!result.ok) continue;
    const { context } = result;
    const keys = evaluator.items("flags").flatMap(({ key, deleted }) => (deleted ? [] : [key]));
    const all = evaluator.evaluateAll(context, { withReasons: true });
    expect(new Set(Object.getOwnPropertyNames(JSON.parse(all)))).toEqual(new Set(keys));
    expect(all).toMatch(/^[\0-\x7f]*$/);
    const member = evaluator.evaluateMany(keys, context, { withReasons: true });
    for (const key of keys) {
      const { value, reason } = evaluator.evaluate(key, context);
      expect(JSON.parse(member.get(key) ?? "")).toMatchObject({ value, reason });
      const { detail } = evaluator.explain(key, context);
      expect(detail).toEqual(evaluator.evaluate(key, context));
      expect(formatExplanation(evaluator.explain(key, context))).not.toBe("");
      evaluator.references("flags", key);
      evaluator.affectedBy("flags", key);
    }
    evaluator.bigSegmentsFor(context);
  }
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeMembers);
}

const prototypeMembers = Object.getOwnPropertyNames(Object.prototype);

/** Names of members, and values that are wrong for most of them. */
const names = [
  "key",
  "on",
  "rules",
  "clauses",
  "values",
  "op",
  "attribute",
  "contextKind",
  "variation",
  "variations",
  "rollout",
  "weight",
  "fallthrough",
  "targets",
  "contextTargets",
  "prerequisites",
  "negate",
  "seed",
  "bucketBy",
  "kind",
  "salt",
  "included",
  "includedContexts",
  "unbounded",
  "generation",
  "version",
  "deleted",
  "offVariation",
  "__proto__",
  "constructor",
  "toString",
  "",
];
const scalars = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1,
    1.5,
    1e308,
    -1e308,
    "a",
    "in",
    "segmentMatch",
    "matches",
    "(",
    "(a+)+$",
    "user",
    "experiment",
    "//",
    "\ud800",
    "__proto__",
  ),
  fc.string({ maxLength: 5 }),
);
const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 6 },
    scalars,
    fc.array(tie("anything"), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...names), tie("anything")), { maxLength: 6 })
      .map((members) => Object.fromEntries(members)),
  ),
}));
const keys = fc.constantFrom("a", "b", "__proto__", "constructor", "", "é", "\ud800");
const items = fc
  .array(fc.tuple(keys, anything), { maxLength: 4 })
  .map((members) => Object.fromEntries(members));

test("anything at all can be taken for flags, segments and contexts", () => {
  fc.assert(
    fc.property(items, items, fc.array(anything, { maxLength: 3 }), (flags, segments, contexts) => {
      const texts = [...contexts.map((context) => JSON.stringify(context)), '{"kind":"user","key":"a"}'];
      askAll(JSON.parse(JSON.stringify({ flags, segments })), texts);
    }),
    { seed: 5, numRuns: 1500 },
  );
});

test("flags that are right except for one member can be taken", { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(fc.integer(), anything, fc.nat(), (seed, poison, place) => {
      const random = new Random(seed);
      const data = wildData(random, 5);
      const text = JSON.stringify(data);
      const members = [...text.matchAll(/"[a-zA-Z]+":(?=[^{[]+?[,}])/g)];
      const at = members[place % members.length];
      const begin = (at?.index ?? 0) + (at?.[0].length ?? 0);
      const end = begin + (/^(?:"(?:[^"\\]|\\.)*"|[^,}\]]+)/.exec(text.slice(begin))?.[0].length ?? 0);
      askAll(JSON.parse(`${text.slice(0, begin)}${JSON.stringify(poison)}${text.slice(end)}`), [
        JSON.stringify(wildContext(random)),
      ]);
    }),
    { seed: 6, numRuns: 500 },
  );
});

const chain = (length: number, make: (next: string) => Item): Item[] =>
  Array.from({ length }, (_, i) => ({ ...make(`${i + 1}`), key: `${i}` }));
const onFlag = (next: string) => flag("", { prerequisites: [{ key: next, variation: 0 }] });
const onSegment = (next: string) =>
  segment("", { rules: [{ clauses: [{ op: "segmentMatch", values: [next] }] }] });

test("prerequisites may be nested as deep as the limit, and are malformed beyond it, from wherever one looks", () => {
  const evaluator = compileFlags(dataOf([...chain(1000, onFlag), flag("1000")]));
  const reasons = [0, 600, 743, 744, 745, 999, 1000].map((i) => evaluator.evaluate(`${i}`, user).reason.kind);
  expect(reasons).toEqual(["ERROR", "ERROR", "ERROR", "ERROR", "FALLTHROUGH", "FALLTHROUGH", "FALLTHROUGH"]);
  const all: Record<string, { reason: unknown }> = JSON.parse(
    evaluator.evaluateAll(user, { withReasons: true }),
  );
  expect(
    Object.values(all).filter(({ reason }) => expect.objectContaining(malformed).asymmetricMatch(reason)),
  ).toHaveLength(745);
  expect(formatExplanation(evaluator.explain("745", user)).split("\n").length).toBeGreaterThan(500);
});

test("segments may be nested as deep as the limit, and are malformed beyond it", () => {
  const flags = [0, 700, 745, 990].map((i) =>
    flag(`f${i}`, { rules: [{ clauses: [{ op: "segmentMatch", values: [`${i}`] }], variation: 1 }] }),
  );
  const evaluator = compileFlags(
    dataOf(flags, [...chain(1000, onSegment), segment("1000", { included: ["u"] })]),
  );
  expect(["f0", "f700", "f745", "f990"].map((key) => evaluator.evaluate(key, user).reason.kind)).toEqual([
    "ERROR",
    "ERROR",
    "RULE_MATCH",
    "RULE_MATCH",
  ]);
  expect(formatExplanation(evaluator.explain("f745", user)).split("\n").length).toBeGreaterThan(500);
});

test("the limit of nesting can be set", () => {
  const data = dataOf([...chain(10, onFlag), flag("10")]);
  const kinds = (maxNesting: number) =>
    ["0", "5"].map((key) => compileFlags(data, { maxNesting }).evaluate(key, user).reason.kind);
  expect([kinds(11), kinds(6), kinds(5)]).toEqual([
    ["FALLTHROUGH", "FALLTHROUGH"],
    ["ERROR", "FALLTHROUGH"],
    ["ERROR", "ERROR"],
  ]);
  // What is missing is no level, wherever it would stand.
  const needing = {
    a: { prerequisites: [{ key: "gone", variation: 0 }] },
    b: { prerequisites: [{ key: "a", variation: 0 }] },
  };
  const on = { version: 1, on: true, variations: [0], offVariation: 0, fallthrough: { variation: 0 } };
  const [a, b, other] = [{ ...on, ...needing.a }, { ...on, ...needing.b }, on];
  for (const flags of [
    { a, b, other },
    { other, b, a },
  ])
    expect(compileFlags({ flags }, { maxNesting: 2 }).evaluate("b", user).reason.kind).toBe("FALLTHROUGH");
  for (const maxNesting of [0, -1, 1.5, 501, Number.NaN])
    expect(() => compileFlags({}, { maxNesting })).toThrow(TypeError);
});

test("thousands of nested and circular items are no trouble", () => {
  const ring = Array.from({ length: 5000 }, (_, i) =>
    flag(`${i}`, { prerequisites: [{ key: `${(i + 1) % 5000}`, variation: 0 }] }),
  );
  const knot = Array.from({ length: 2000 }, (_, i) =>
    segment(`${i}`, {
      rules: [
        { clauses: [{ op: "segmentMatch", values: [`${(i * 7 + 1) % 2000}`, `${(i * 3 + 2) % 2000}`] }] },
      ],
    }),
  );
  const evaluator = compileFlags(
    dataOf(
      [...ring, flag("f", { rules: [{ clauses: [{ op: "segmentMatch", values: ["0"] }], variation: 1 }] })],
      knot,
    ),
  );
  const all: Record<string, { reason: unknown }> = JSON.parse(
    evaluator.evaluateAll(user, { withReasons: true }),
  );
  expect(new Set(Object.values(all).map(({ reason }) => JSON.stringify(reason)))).toEqual(
    new Set([JSON.stringify(malformed)]),
  );
});

test("work does not multiply where many flags and segments refer to the same", () => {
  // Without memory of what was found, this would take 2^60 steps.
  const layers = Array.from({ length: 60 }, (_, i) =>
    segment(`${i}`, {
      rules: [`${i + 1}`, `${i + 1}`].map((next) => ({ clauses: [{ op: "segmentMatch", values: [next] }] })),
    }),
  );
  const pairs = Array.from({ length: 60 }, (_, i) =>
    flag(`${i}`, { prerequisites: [`${i + 1}`, `${i + 1}`].map((key) => ({ key, variation: 0 })) }),
  );
  const evaluator = compileFlags(
    dataOf(
      [
        ...pairs,
        flag("60"),
        flag("f", { rules: [{ clauses: [{ op: "segmentMatch", values: ["0"] }], variation: 1 }] }),
      ],
      layers,
    ),
  );
  expect(evaluator.evaluate("0", user).reason.kind).toBe("FALLTHROUGH");
  expect(evaluator.evaluate("f", user).reason.kind).toBe("FALLTHROUGH");
  expect(formatExplanation(evaluator.explain("0", user)).split("\n").length).toBeLessThan(500);
  expect(formatExplanation(evaluator.explain("f", user)).split("\n").length).toBeLessThan(500);
});

test("huge lists are no trouble", () => {
  const values = Array.from({ length: 200_000 }, (_, i) => `user-${i}`);
  const clauses = [
    { attribute: "key", op: "in", values },
    { attribute: "key", op: "lessThan", values: values.map((_, i) => i) },
  ];
  const data = dataOf(
    [
      flag("f", { targets: [{ variation: 1, values }] }),
      flag("g", {
        rules: [
          { clauses: [clauses[0]], variation: 1 },
          { clauses, variation: 2 },
        ],
      }),
    ],
    [
      segment("s", {
        included: values,
        rules: Array.from({ length: 3 }, () => ({ clauses: [clauses[1]] })),
      }),
    ],
  );
  const evaluator = compileFlags(data);
  const variations = (key: string) =>
    ["f", "g"].map((name) => evaluator.evaluate(name, createContext({ kind: "user", key })).variation);
  expect([variations("user-199999"), variations("nobody")]).toEqual([
    [1, 1],
    [0, 0],
  ]);
});

test("patterns that are catastrophic for backtracking engines are no trouble", () => {
  const sources = ["^(a+)+$", "(a|a)*b", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)*!"];
  const flags = [flagWithClauses([{ attribute: "text", op: "matches", values: sources }])];
  const context = createContext({ kind: "user", key: "u", text: `${"a".repeat(20_000)}?` });
  expect(compileFlags(dataOf(flags)).evaluate("flag", context).reason.kind).toBe("FALLTHROUGH");
});

test("long lists are compared as far as they are worth it; flags beyond are malformed", () => {
  const ops = ["in", "startsWith", "endsWith", "contains", "matches", "before", "lessThan", "semVerEqual"];
  const rules = Array.from({ length: 80 }, (_, i) => ({
    clauses: [
      { attribute: "list", op: ops[i % 8], values: Array.from({ length: 50 }, (_, k) => `x${i}-${k}`) },
    ],
    variation: 1,
  }));
  const evaluator = compileFlags(dataOf(rules.map((rule, i) => flag(`f${i}`, { rules: [rule] }))));
  const kindsFor = (length: number) => {
    const list = Array.from({ length }, (_, i) => `${i}`);
    const text = evaluator.evaluateAll(createContext({ kind: "user", key: "u", list }), {
      withReasons: true,
    });
    const all: Record<string, { reason: { kind: string } }> = JSON.parse(text);
    return Object.values(all).map(({ reason }) => reason.kind);
  };
  expect(new Set(kindsFor(1000))).toEqual(new Set(["FALLTHROUGH"]));
  // What was decided before goes on counting, and so does what takes no time.
  expect(new Set(kindsFor(20_000))).toEqual(new Set(["FALLTHROUGH", "ERROR"]));
  expect(kindsFor(20_000).filter((kind) => kind === "FALLTHROUGH").length).toBeGreaterThan(10);
});

test("all regular expressions together take a bounded number of steps for one context, whatever came before", () => {
  const flags = Array.from({ length: 30 }, (_, n) => ({
    ...flagWithClauses([
      { contextKind: "user", attribute: "account", op: "matches", values: [`[A-Z][A-Z0-9]{11}-${n}$`] },
    ]),
    key: `f${n}`,
  }));
  const evaluator = compileFlags(dataOf(flags));
  const failed = (length: number) => {
    const context = createContext({ kind: "user", key: "u", account: "A1".repeat(length / 2) });
    const all = JSON.parse(evaluator.evaluateAll(context, { withReasons: true }));
    return flags.filter(({ key }) => all[key].reason.errorKind === "MALFORMED_FLAG").map(({ key }) => key);
  };
  expect(failed(10_000)).toEqual([]);
  const beyond = failed(200_000);
  expect(beyond.length).toBeGreaterThan(20);
  expect(beyond.length).toBeLessThan(30);
  failed(300);
  expect(failed(200_000)).toEqual(beyond);
});
