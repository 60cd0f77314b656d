import { expect, test } from "vitest";
import { checkFlag } from "../check-flag.js";
import type { Flag } from "../flag.js";
import { everybody, simpleRule, withEverybody, withOn, withSimpleRule, withSplit } from "./edit-flag.js";

const plain: Flag = {
  key: "a",
  version: 3,
  on: true,
  variations: ["x", "y", "z"],
  fallthrough: { variation: 2 },
};
const complicated = { id: "old", clauses: [{ attribute: "age", op: "lessThan", values: [9] }], variation: 1 };
const pro = { attribute: "plan", values: ["pro", "team"], variation: 1 };
const split = { first: 0, second: 2, share: 12.5 };

test("everybody gets a variation, a split of two, or what only the JSON says", () => {
  expect(everybody(plain)).toEqual({ kind: "variation", variation: 2 });
  expect(everybody(withSplit(plain, split))).toEqual({ kind: "split", split });
  const thirds = [0, 1, 2].map((variation) => ({ variation, weight: 20_000 + variation }));
  expect(everybody({ ...plain, fallthrough: { rollout: { variations: thirds } } })).toEqual({
    kind: "other",
    weights: [20_000, 20_001, 20_002],
  });
  expect(everybody(withEverybody(withSplit(plain, split), 1))).toEqual({ kind: "variation", variation: 1 });
});

test("moving the slider keeps what else the rollout says", () => {
  const seeded: Flag = {
    ...plain,
    fallthrough: { rollout: { contextKind: "org", ...{ seed: 7 }, variations: [] } },
  };
  expect(withSplit(seeded, split).fallthrough).toEqual({
    rollout: {
      contextKind: "org",
      seed: 7,
      variations: [
        { variation: 0, weight: 12_500 },
        { variation: 2, weight: 87_500 },
      ],
    },
  });
});

test("a rule is added before the others, changed in its place, and taken away", () => {
  const start: Flag = { ...plain, rules: [complicated] };
  expect(simpleRule(start)).toEqual({ rule: undefined, others: 1 });
  const added = withSimpleRule(start, pro);
  expect(added.rules?.map(({ id }) => id)).toEqual(["of-the-board", "old"]);
  expect(simpleRule(added)).toEqual({ rule: pro, others: 1 });
  const moved = { ...added, rules: added.rules?.toReversed() ?? [] };
  const changed = withSimpleRule(moved, { ...pro, values: [] });
  expect(changed.rules?.map(({ id }) => id)).toEqual(["old", "of-the-board"]);
  expect(withSimpleRule(changed, undefined).rules).toEqual([complicated]);
  expect(withSimpleRule(plain, undefined).rules).toEqual([]);
});

const notSimple = [
  { name: "another operator", clause: { op: "startsWith" } },
  { name: "a negation", clause: { negate: true } },
  { name: "another kind of context", clause: { contextKind: "org" } },
  { name: "numbers", clause: { values: [1] } },
];
for (const { name, clause } of notSimple) {
  test(`a rule with ${name} is left to the JSON`, () => {
    const rules = [{ clauses: [{ attribute: "plan", op: "in", values: ["pro"], ...clause }], variation: 0 }];
    expect(simpleRule({ ...plain, rules })).toEqual({ rule: undefined, others: 1 });
  });
}

test("what the controls make can be served", () => {
  for (const flag of [withOn(plain, false), withSplit(plain, split), withSimpleRule(plain, pro)]) {
    expect(checkFlag("a", JSON.stringify(flag))).toEqual({ ok: true, flag });
  }
});
