import { expect, test } from "vitest";
import { type BigSegments, compileFlags, createContext, formatExplanation } from "../src/index.js";
import { dataOf, flag, flagWithClauses, type Item, segment } from "./flags.js";

const user = { kind: "user", key: "userKeyA", country: "fr", age: 12, groups: ["x"] };
const country = { attribute: "country", op: "in", values: ["de"] };
const young = { contextKind: "user", attribute: "/age", op: "lessThan", values: [30] };
const asks = (...values: readonly string[]) => ({ op: "segmentMatch", values });
const half = [
  { variation: 0, weight: 50_000 },
  { variation: 1, weight: 50_000 },
];

interface Case {
  readonly name: string;
  readonly flags: readonly Item[];
  readonly segments?: readonly Item[];
  readonly bigSegments?: BigSegments;
  readonly context?: object;
  readonly lines: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "a flag that is off",
    flags: [flag("f", { on: false })],
    lines: ['flag "f": yes — variation 2, "c", OFF', "  on: no — the off variation is 2"],
  },
  {
    name: "a flag that is off without a variation",
    flags: [flag("f", { on: false, offVariation: null })],
    lines: ['flag "f": no — no variation, OFF', "  on: no — the off variation is none"],
  },
  {
    name: "a fallthrough",
    flags: [flag("f")],
    lines: ['flag "f": yes — variation 0, "a", FALLTHROUGH', "  fallthrough: yes — variation 0"],
  },
  {
    name: "a target",
    flags: [flag("f", { targets: [{ variation: 1, values: ["userKeyA"] }] })],
    lines: [
      'flag "f": yes — variation 1, "b", TARGET_MATCH',
      "  targets: yes — the context is listed for variation 1",
    ],
  },
  {
    name: "rules",
    flags: [
      flag("f", {
        targets: [{ variation: 1, values: ["x"] }],
        rules: [
          { id: "r", clauses: [country, young], variation: 1 },
          { clauses: [young, { ...country, negate: true }], variation: 2 },
          { clauses: [], variation: 0 },
        ],
      }),
    ],
    lines: [
      'flag "f": yes — variation 2, "c", RULE_MATCH',
      "  targets: no — the context is not listed",
      '  rule 0 (id "r"): no',
      '    user country in ["de"]: no — the context has "fr"',
      "  rule 1: yes — variation 2",
      "    user /age lessThan [30]: yes — the context has 12",
      '    user country not in ["de"]: yes — the context has "fr"',
    ],
  },
  {
    name: "a clause that cannot be evaluated: nothing behind it counts",
    flags: [
      flag("f", {
        rules: [
          {
            variation: 1,
            clauses: [
              { ...country, contextKind: "user", attribute: "//" },
              { attribute: "key", op: "in", values: ["u"] },
            ],
          },
          { variation: 2, clauses: [{ attribute: "country", op: "in", values: ["fr"] }] },
        ],
      }),
    ],
    lines: [
      'flag "f": error — no variation, ERROR MALFORMED_FLAG',
      "  rule 0: error",
      '    user // in ["de"]: error — the attribute reference is not valid',
    ],
  },
  {
    name: "a segment whose first rule cannot be evaluated: its second does not count",
    flags: [
      flag("f", {
        rules: [{ variation: 1, clauses: [{ attribute: "", op: "segmentMatch", values: ["s", "t"] }] }],
      }),
    ],
    segments: [
      segment("s", {
        rules: [
          { clauses: [{ ...country, contextKind: "user", attribute: "//" }] },
          { clauses: [{ attribute: "country", op: "in", values: ["fr"] }] },
        ],
      }),
      segment("t", { included: ["u"] }),
    ],
    lines: [
      'flag "f": error — no variation, ERROR MALFORMED_FLAG',
      "  rule 0: error",
      "    in a segment: error",
      '      segment "s": error — not listed',
      "        rule 0: error",
      '          user // in ["de"]: error — the attribute reference is not valid',
    ],
  },
  {
    name: "what a context lacks",
    flags: [
      flag("f", {
        rules: [
          { ...country, clauses: [{ ...country, attribute: "city" }] },
          { clauses: [{ ...country, contextKind: "org" }] },
          { clauses: [{ attribute: "kind", op: "in", values: ["org"] }] },
          { clauses: [{ ...country, contextKind: "user", attribute: "//" }] },
        ],
      }),
    ],
    lines: [
      'flag "f": error — no variation, ERROR MALFORMED_FLAG',
      "  rule 0: no",
      '    user city in ["de"]: no — the context has no such attribute',
      "  rule 1: no",
      '    org country in ["de"]: no — the context has no org',
      "  rule 2: no",
      '    user kind in ["org"]: no — the kind is user',
      "  rule 3: error",
      '    user // in ["de"]: error — the attribute reference is not valid',
    ],
  },
  {
    name: "a rollout",
    flags: [
      flag("hashKey", {
        salt: "saltyA",
        fallthrough: { rollout: { variations: half, contextKind: "user", bucketBy: "country" } },
      }),
    ],
    lines: [
      'flag "hashKey": yes — variation 1, "b", FALLTHROUGH',
      "  fallthrough: yes",
      "    rollout by user country: yes — variation 1",
    ],
  },
  {
    name: "an experiment in a rule",
    flags: [
      flag("hashKey", {
        salt: "saltyA",
        rules: [{ clauses: [young], rollout: { kind: "experiment", variations: half, bucketBy: "country" } }],
      }),
    ],
    lines: [
      'flag "hashKey": yes — variation 0, "a", RULE_MATCH',
      "  rule 0: yes",
      "    user /age lessThan [30]: yes — the context has 12",
      "    experiment by user key: yes — variation 0",
    ],
  },
  {
    name: "a rule that leads to no variation",
    flags: [flag("f", { rules: [{ clauses: [], variation: 9 }] })],
    lines: [
      'flag "f": error — no variation, ERROR MALFORMED_FLAG',
      "  rule 0: error — it leads to no variation of the flag",
    ],
  },
  {
    name: "prerequisites",
    flags: [
      flag("f", {
        prerequisites: [
          { key: "on", variation: 0 },
          { key: "on", variation: 0 },
          { key: "off", variation: 2 },
          { key: "on", variation: 0 },
        ],
      }),
      flag("on"),
      flag("off", { on: false }),
    ],
    lines: [
      'flag "f": yes — variation 2, "c", PREREQUISITE_FAILED',
      '  prerequisite "on" has variation 0: yes',
      '    flag "on": yes — variation 0, "a", FALLTHROUGH',
      "      fallthrough: yes — variation 0",
      '  prerequisite "on" has variation 0: yes',
      '    flag "on": yes — variation 0, "a", FALLTHROUGH, as explained above',
      '  prerequisite "off" has variation 2: no — it is off',
      '    flag "off": yes — variation 2, "c", OFF',
      "      on: no — the off variation is 2",
    ],
  },
  {
    name: "a prerequisite that is missing",
    flags: [flag("f", { prerequisites: [{ key: "x", variation: 0 }] })],
    lines: [
      'flag "f": yes — variation 2, "c", PREREQUISITE_FAILED',
      '  prerequisite "x" has variation 0: no — there is no such flag',
    ],
  },
  {
    name: "a prerequisite with another variation",
    flags: [flag("f", { prerequisites: [{ key: "on", variation: 1 }] }), flag("on")],
    lines: [
      'flag "f": yes — variation 2, "c", PREREQUISITE_FAILED',
      '  prerequisite "on" has variation 1: no',
      '    flag "on": yes — variation 0, "a", FALLTHROUGH',
      "      fallthrough: yes — variation 0",
    ],
  },
  {
    name: "prerequisites in a circle",
    flags: [
      flag("a", { prerequisites: [{ key: "b", variation: 0 }] }),
      flag("b", { prerequisites: [{ key: "a", variation: 0 }] }),
    ],
    lines: [
      'flag "a": error — no variation, ERROR MALFORMED_FLAG',
      '  prerequisite "b" has variation 0: error — it is malformed',
      '    flag "b": error — no variation, ERROR MALFORMED_FLAG',
      '      prerequisite "a" has variation 0: error — it is malformed',
      '        flag "a": error — no variation, ERROR MALFORMED_FLAG, as explained above',
    ],
  },
  {
    name: "segments",
    flags: [flagWithClauses([asks("missing", "listed-out", "by-rule", "listed-in", "not-asked")])],
    segments: [
      segment("listed-out", { excluded: ["userKeyA"] }),
      segment("by-rule", {
        rules: [
          { id: "s", clauses: [country] },
          { clauses: [asks("listed-out")] },
          { clauses: [young], weight: 0 },
        ],
      }),
      segment("listed-in", { included: ["userKeyA"] }),
    ],
    lines: [
      'flag "flag": yes — variation 1, "b", RULE_MATCH',
      '  rule 0 (id "rule"): yes — variation 1',
      "    in a segment: yes",
      '      segment "missing": no — there is no such segment',
      '      segment "listed-out": no — listed as excluded',
      '      segment "by-rule": no — not listed',
      '        rule 0 (id "s"): no',
      '          user country in ["de"]: no — the context has "fr"',
      "        rule 1: no",
      "          in a segment: no",
      '            segment "listed-out": no — as explained above',
      "        rule 2: no",
      "          user /age lessThan [30]: yes — the context has 12",
      "          among 0 % by user key: no",
      '      segment "listed-in": yes — listed as included',
    ],
  },
  {
    name: "big segments",
    flags: [flagWithClauses([{ ...asks("unready", "org", "out", "rule"), negate: true }])],
    segments: [
      segment("unready", { unbounded: true }),
      segment("org", { unbounded: true, generation: 1, unboundedContextKind: "org" }),
      segment("out", { unbounded: true, generation: 1 }),
      segment("rule", {
        unbounded: true,
        generation: 1,
        rules: [{ clauses: [young], weight: 100_000, bucketBy: "age" }],
      }),
    ],
    bigSegments: new Map([["userKeyA", { status: "HEALTHY", segments: new Map([["out.g1", false]]) }]]),
    lines: [
      'flag "flag": yes — variation 0, "a", FALLTHROUGH',
      '  rule 0 (id "rule"): no',
      "    not in a segment: no",
      '      segment "unready": no — a big segment without a generation',
      '      segment "org": no — the context has no org',
      '      segment "out": no — excluded, HEALTHY',
      '      segment "rule": yes — neither included nor excluded, HEALTHY',
      "        rule 0: yes",
      "          user /age lessThan [30]: yes — the context has 12",
      "          among 100 % by user age: yes",
      "  fallthrough: yes — variation 0",
    ],
  },
  {
    name: "what cannot be read",
    flags: [flag("f", { on: 1, rules: {} })],
    lines: [
      'flag "f": error — no variation, ERROR MALFORMED_FLAG',
      "  reading /on: error — expected true or false, got a number",
      "  reading /rules: error — expected an array, got an object",
    ],
  },
  {
    name: "a segment that cannot be read",
    flags: [flagWithClauses([asks("s")])],
    segments: [segment("s", { rules: [1] })],
    lines: [
      'flag "flag": error — no variation, ERROR MALFORMED_FLAG',
      '  rule 0 (id "rule"): error',
      "    in a segment: error",
      '      segment "s": error — /rules/0 expected an object, got a number',
    ],
  },
  {
    name: "long values",
    flags: [flagWithClauses([{ attribute: "groups", op: "in", values: Array(100).fill("a".repeat(9)) }])],
    lines: [
      'flag "flag": yes — variation 0, "a", FALLTHROUGH',
      '  rule 0 (id "rule"): no',
      `    user groups in ${JSON.stringify(Array(100).fill("a".repeat(9))).slice(0, 200)}…: no — the context has ["x"]`,
      "  fallthrough: yes — variation 0",
    ],
  },
];

for (const { name, flags, segments, bigSegments, context = user, lines } of cases) {
  test(`an explanation of ${name}`, () => {
    const evaluator = compileFlags(dataOf(flags, segments));
    const explanation = evaluator.explain(String(flags[0]?.key), createContext(context), { bigSegments });
    expect(formatExplanation(explanation).split("\n")).toEqual(lines);
  });
}

test("an explanation of a flag that is not there says so", () => {
  const explanation = compileFlags({}).explain("x", createContext(user));
  expect(formatExplanation(explanation)).toBe('flag "x": error — there is no such flag');
  expect(explanation.detail.reason).toEqual({ kind: "ERROR", errorKind: "FLAG_NOT_FOUND" });
});

test("an explanation of nesting beyond the limit names it", () => {
  const flags = [
    flag("a", { prerequisites: [{ key: "b", variation: 0 }] }),
    flag("b", { prerequisites: [{ key: "c", variation: 0 }] }),
    flag("c"),
  ];
  const nested = [flagWithClauses([asks("s")]), ...flags];
  const segments = [
    segment("s", { rules: [{ clauses: [asks("t")] }] }),
    segment("t", { rules: [{ clauses: [asks("u")] }] }),
    segment("u"),
  ];
  const evaluator = compileFlags(dataOf(nested, segments), { maxNesting: 1 });
  expect(formatExplanation(evaluator.explain("a", createContext(user)))).toContain(
    "prerequisites are nested too deeply",
  );
  expect(formatExplanation(evaluator.explain("flag", createContext(user)))).toContain(
    "segments are nested too deeply",
  );
});

test("references list what an item refers to itself", () => {
  const one = flag("f", {
    prerequisites: [
      { key: "a", variation: 0 },
      { key: "a", variation: 1 },
    ],
    rules: [
      { clauses: [country, young, asks("s", "t", "s")], variation: 1 },
      { clauses: [country], rollout: { variations: half, contextKind: "org", bucketBy: "/x" } },
    ],
    fallthrough: { rollout: { kind: "experiment", variations: half, bucketBy: "ignored" } },
  });
  const two = segment("s", {
    rules: [{ clauses: [asks("t"), country], weight: 1, bucketBy: "age" }, { clauses: [young] }],
  });
  const evaluator = compileFlags(dataOf([one, { key: "gone", version: 1, deleted: true }], [two]));
  expect(evaluator.references("flags", "f")).toEqual({
    flags: ["a"],
    segments: ["s", "t"],
    attributes: [
      { contextKind: "user", attribute: "country" },
      { contextKind: "user", attribute: "/age" },
      { contextKind: "org", attribute: "/x" },
      { contextKind: "user", attribute: "key" },
    ],
  });
  expect(evaluator.references("segments", "s")).toEqual({
    flags: [],
    segments: ["t"],
    attributes: [
      { contextKind: "user", attribute: "country" },
      { contextKind: "user", attribute: "/age" },
      { contextKind: "user", attribute: "age" },
    ],
  });
  expect(evaluator.references("flags", "gone")).toBeUndefined();
  expect(evaluator.references("segments", "missing")).toBeUndefined();
});
