import { expect, test } from "vitest";
import { compileFlags, createContext, formatExplanation } from "../src/index.js";
import { dataOf, flag, flagWithClauses, type Item, segment } from "./flags.js";

// What explanations say of kinds and attributes that are named, and of those that are not.

interface Case {
  readonly name: string;
  readonly flags: readonly Item[];
  readonly segments?: readonly Item[];
  readonly context?: object;
  readonly lines: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "a context of two kinds",
    context: { kind: "multi", user: { key: "userKeyA" }, org: { key: "o", plan: "x" } },
    flags: [
      flag("f", {
        rules: [
          {
            clauses: [
              { contextKind: "org", attribute: "plan", op: "in", values: ["y"], negate: true },
              { op: "segmentMatch", values: ["s"] },
            ],
            variation: 1,
          },
          {
            clauses: [{ attribute: "kind", op: "in", values: ["org"] }],
            rollout: {
              variations: [{ variation: 1, weight: 100_000 }],
              contextKind: "org",
              bucketBy: "plan",
            },
          },
        ],
      }),
    ],
    segments: [
      segment("s", {
        rules: [
          { clauses: [], weight: 0, rolloutContextKind: "org", bucketBy: "plan" },
          { clauses: [], weight: 0, rolloutContextKind: "org" },
        ],
      }),
    ],
    lines: [
      'flag "f": yes — variation 1, "b", RULE_MATCH',
      "  rule 0: no",
      '    org plan not in ["y"]: yes — the context has "x"',
      "    in a segment: no",
      '      segment "s": no — not listed',
      "        rule 0: no",
      "          among 0 % by org plan: no",
      "        rule 1: no",
      "          among 0 % by org key: no",
      "  rule 1: yes",
      '    user kind in ["org"]: yes — the kind is org, user',
      "    rollout by org plan: yes — variation 1",
    ],
  },
  {
    name: "a clause without an attribute",
    flags: [flag("f", { rules: [{ clauses: [{ op: "in", values: ["x"] }], variation: 1 }] })],
    lines: [
      'flag "f": error — no variation, ERROR MALFORMED_FLAG',
      "  rule 0: error",
      '    user (no attribute) in ["x"]: error — the attribute reference is not valid',
    ],
  },
  {
    name: "a rollout by the key",
    flags: [flag("f", { fallthrough: { rollout: { variations: [{ variation: 2, weight: 100_000 }] } } })],
    lines: [
      'flag "f": yes — variation 2, "c", FALLTHROUGH',
      "  fallthrough: yes",
      "    rollout by user key: yes — variation 2",
    ],
  },
];

for (const { name, flags, segments, context = { kind: "user", key: "userKeyA" }, lines } of cases) {
  test(`an explanation of ${name}`, () => {
    const explanation = compileFlags(dataOf(flags, segments)).explain("f", createContext(context));
    expect(formatExplanation(explanation).split("\n")).toEqual(lines);
  });
}

test("a value of 200 characters is shown whole, and of a longer one as many", () => {
  const shown = (length: number) => {
    const clause = { attribute: "country", op: "in", values: ["de"] };
    const context = createContext({ kind: "user", key: "u", country: "c".repeat(length - 2) });
    const explanation = compileFlags(dataOf([flagWithClauses([clause])])).explain("flag", context);
    return /the context has (.*)$/m.exec(formatExplanation(explanation))?.[1];
  };
  expect(shown(200)).toBe(`"${"c".repeat(198)}"`);
  expect(shown(201)).toBe(`"${"c".repeat(199)}…`);
});
