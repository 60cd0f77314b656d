import { expect, test } from "vitest";
import { compileFlags, type ItemInputs } from "../src/index.js";

const half = [
  { variation: 0, weight: 50_000 },
  { variation: 1, weight: 50_000 },
];

/** The attributes that a flag or a segment reads, each behind its kind. */
function attributesOf(kind: "flags" | "segments", item: object): readonly string[] | undefined {
  const evaluator = compileFlags({ [kind]: { one: { key: "one", version: 1, ...item } } as ItemInputs });
  const attributes = evaluator.references(kind, "one")?.attributes;
  return attributes?.map(({ contextKind, attribute }) => `${contextKind} ${attribute}`);
}

test.each<[rollout: object, attributes: readonly string[]]>([
  [{ variations: half }, ["user key"]],
  [{ variations: half, bucketBy: "" }, ["user key"]],
  [{ variations: half, bucketBy: "a" }, ["user a"]],
  [{ variations: half, bucketBy: "a", contextKind: "org" }, ["org a"]],
  [{ variations: half, bucketBy: "a", contextKind: "org", kind: "experiment" }, ["org key"]],
  [{ variations: half, bucketBy: "a", kind: "rollout" }, ["user a"]],
])("a flag reads what its rollouts deal out by: %j", (rollout, attributes) => {
  expect(attributesOf("flags", { fallthrough: { rollout } })).toEqual(attributes);
  expect(attributesOf("flags", { rules: [{ clauses: [], rollout }] })).toEqual(attributes);
});

test("a flag reads nothing for a rollout in whose place it has a variation", () => {
  const given = { variation: 1, rollout: { variations: half, bucketBy: "a" } };
  expect(attributesOf("flags", { fallthrough: given, rules: [{ clauses: [], ...given }] })).toEqual([]);
});

test.each<[rule: object, attributes: readonly string[]]>([
  [{}, []],
  [{ bucketBy: "a" }, []],
  [{ weight: 5 }, ["user key"]],
  [{ weight: 0 }, ["user key"]],
  [{ weight: 5, bucketBy: "a" }, ["user a"]],
  [{ weight: 5, bucketBy: "a", rolloutContextKind: "org" }, ["org a"]],
])("a segment reads what its shares are dealt out by: %j", (rule, attributes) => {
  expect(attributesOf("segments", { rules: [{ clauses: [], ...rule }] })).toEqual(attributes);
});

test("what is read in several places is listed once, and values of another type are no segments", () => {
  const clauses = [
    { attribute: "a", op: "in", values: [1] },
    { attribute: "a", op: "contains", values: ["x"], contextKind: "user" },
    { attribute: "a", op: "in", values: [1], contextKind: "org" },
    { attribute: "b", op: "segmentMatch", values: ["s", 5, "t", "s", null] },
  ];
  const evaluator = compileFlags({
    flags: { one: { key: "one", version: 1, rules: [{ clauses }, { clauses }] } },
  });
  expect(evaluator.references("flags", "one")).toEqual({
    flags: [],
    segments: ["s", "t"],
    attributes: [
      { contextKind: "user", attribute: "a" },
      { contextKind: "org", attribute: "a" },
    ],
  });
});
