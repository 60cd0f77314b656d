import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { compileFlags, createContext } from "../src/index.js";
import { dataOf, evaluateFirst, flag, flagWithClauses, type Item, segment } from "./flags.js";

const user = (key: string, more: Item = {}) => ({ kind: "user", key, ...more });
const malformed = { kind: "ERROR", errorKind: "MALFORMED_FLAG" };

/** In hundred-thousandths. */
function bucketOf(text: string): number {
  return (
    (Number.parseInt(createHash("sha1").update(text).digest("hex").slice(0, 15), 16) / (2 ** 60 - 1)) *
    100_000
  );
}

/** Three shares of which the middle one is just wide enough for that bucket. */
function around(bucket: number): Item[] {
  const below = Math.floor(bucket);
  return [below, 1, 100_000 - below - 1].map((weight, variation) => ({ variation, weight }));
}

function dealt(rollout: Item, context: object, members: Item = {}): number | undefined {
  const flags = [flag("hashKey", { salt: "saltyA", fallthrough: { rollout }, ...members })];
  return evaluateFirst(flags, context).variation;
}

const vectors = [
  { key: "userKeyA", bucket: 0.42157587, seeded: 0.09801207 },
  { key: "userKeyB", bucket: 0.6708485, seeded: 0.14483777 },
  { key: "userKeyC", bucket: 0.10343106, seeded: 0.9242641 },
  { key: "userKeyA", bucket: 0.4215758743392494, seeded: 0.0980120652476667 },
  { key: "userKeyB", bucket: 0.6708484965703435, seeded: 0.1448377737757314 },
  { key: "userKeyC", bucket: 0.1034310617276969, seeded: 0.9242640945125551 },
];

for (const { key, bucket, seeded } of vectors) {
  test(`${key} is in bucket ${bucket}, with seed 61 in ${seeded}`, () => {
    expect(dealt({ variations: around(bucket * 100_000) }, user(key))).toBe(1);
    expect(dealt({ variations: around(seeded * 100_000), seed: 61 }, user(key))).toBe(1);
    expect(dealt({ variations: around(seeded * 100_000), seed: 61, kind: "experiment" }, user(key))).toBe(1);
  });
}

const attributes = [
  { name: "text", value: "33333", bucket: 54_771.423 },
  { name: "a whole number", value: 33333, bucket: 54_771.423 },
  { name: "another number", value: 99999, bucket: 73_096.58 },
  { name: "a negative number", value: -5, bucket: bucketOf("hashKey.saltyA.-5") },
  { name: "zero with a sign", value: -0, bucket: bucketOf("hashKey.saltyA.0") },
  { name: "a large number", value: 2 ** 60, bucket: bucketOf("hashKey.saltyA.1152921504606846976") },
  { name: "unicode", value: "ключ 😀", bucket: bucketOf("hashKey.saltyA.ключ 😀") },
  { name: "a lone surrogate", value: "\ud800", bucket: bucketOf("hashKey.saltyA.\ufffd") },
  { name: "empty text", value: "", bucket: bucketOf("hashKey.saltyA.") },
];

for (const { name, value, bucket } of attributes) {
  test(`bucketing by ${name}`, () => {
    expect(dealt({ variations: around(bucket), bucketBy: "a" }, user("u", { a: value }))).toBe(1);
  });
}

test("what has no one text form is in bucket 0, and so is what is missing", () => {
  const first = [
    { variation: 1, weight: 1 },
    { variation: 0, weight: 99_999 },
  ];
  for (const value of [undefined, null, true, 1.5, [], ["x"], {}, 2 ** 63, 1e300]) {
    expect([value, dealt({ variations: first, bucketBy: "a" }, user("u", { a: value }))]).toEqual([value, 1]);
  }
});

test("bucketing follows references only where a kind is given, and reads plain names otherwise", () => {
  const context = user("u", { a: { b: "nested" }, "/a/b": "literal" });
  expect(
    dealt(
      { variations: around(bucketOf("hashKey.saltyA.nested")), contextKind: "user", bucketBy: "/a/b" },
      context,
    ),
  ).toBe(1);
  expect(dealt({ variations: around(bucketOf("hashKey.saltyA.literal")), bucketBy: "/a/b" }, context)).toBe(
    1,
  );
});

test("an invalid reference to bucket by is malformed in rollouts and ignored in experiments", () => {
  const rollout = { variations: around(bucketOf("hashKey.saltyA.u")), contextKind: "user", bucketBy: "//" };
  const reason = (more: Item) =>
    evaluateFirst(
      [flag("hashKey", { salt: "saltyA", fallthrough: { rollout: { ...rollout, ...more } } })],
      user("u"),
    ).reason;
  expect(reason({})).toEqual(malformed);
  expect(reason({ kind: "experiment" })).toEqual({ kind: "FALLTHROUGH", inExperiment: true });
});

test("experiments go by key, whatever is said", () => {
  const rollout = { kind: "experiment", variations: around(bucketOf("hashKey.saltyA.u")), bucketBy: "a" };
  expect(dealt(rollout, user("u", { a: "x" }))).toBe(1);
});

test("the kind chooses the part that is dealt out", () => {
  const context = { kind: "multi", user: { key: "u" }, org: { key: "o" } };
  expect(dealt({ variations: around(bucketOf("hashKey.saltyA.o")), contextKind: "org" }, context)).toBe(1);
});

test("the secondary key of old users takes part in rollouts, but not in experiments", () => {
  const context = { key: "u", secondary: "s" };
  expect(dealt({ variations: around(bucketOf("hashKey.saltyA.u.s")) }, context)).toBe(1);
  expect(dealt({ kind: "experiment", variations: around(bucketOf("hashKey.saltyA.u")) }, context)).toBe(1);
  expect(
    dealt(
      { variations: around(bucketOf("hashKey.saltyA.x.s")), bucketBy: "a" },
      { ...context, custom: { a: "x" } },
    ),
  ).toBe(1);
  expect(dealt({ variations: around(bucketOf("hashKey.saltyA.u.")) }, { key: "u", secondary: "" })).toBe(1);
});

test("a seed of 0 is a seed, and fractions of seeds do not count", () => {
  expect(dealt({ variations: around(bucketOf("0.u")), seed: 0 }, user("u"))).toBe(1);
  expect(dealt({ variations: around(bucketOf("61.u")), seed: 61.9 }, user("u"))).toBe(1);
  expect(dealt({ variations: around(bucketOf("-7.u")), seed: -7 }, user("u"))).toBe(1);
});

const reasonOf = (rollout: Item, context: object) =>
  evaluateFirst([flag("hashKey", { salt: "saltyA", fallthrough: { rollout } })], context);
const half = [
  { variation: 0, weight: 50_000 },
  { variation: 1, weight: 50_000, untracked: true },
];

test("an experiment shows in the reason, but not for shares that are not tracked", () => {
  const experiment = { kind: "experiment", variations: half };
  expect(reasonOf(experiment, user("userKeyA"))).toMatchObject({
    variation: 0,
    reason: { kind: "FALLTHROUGH", inExperiment: true },
    trackReason: true,
    trackEvents: true,
  });
  expect(reasonOf(experiment, user("userKeyB")).reason).toEqual({ kind: "FALLTHROUGH" });
  expect(reasonOf({ variations: half }, user("userKeyA")).reason).toEqual({ kind: "FALLTHROUGH" });
});

test("an experiment shows in the reason of a rule too", () => {
  const rules = [{ id: "r", clauses: [], rollout: { kind: "experiment", variations: half } }];
  expect(evaluateFirst([flag("hashKey", { salt: "saltyA", rules })], user("userKeyA")).reason).toEqual({
    kind: "RULE_MATCH",
    ruleIndex: 0,
    ruleId: "r",
    inExperiment: true,
  });
});

test("contexts without the kind get the first share that is not empty, outside the experiment", () => {
  const variations = [
    { variation: 0, weight: 0 },
    { variation: 1, weight: 1 },
    { variation: 2, weight: 99_999 },
  ];
  const detail = reasonOf({ kind: "experiment", contextKind: "org", variations }, user("userKeyA"));
  expect(detail).toMatchObject({ variation: 1, reason: { kind: "FALLTHROUGH" } });
  const empty = variations.map(({ variation }) => ({ variation, weight: 0 }));
  expect(reasonOf({ contextKind: "org", variations: empty }, user("userKeyA")).variation).toBe(2);
});

test("who is beyond all shares is in the last", () => {
  const variations = [
    { variation: 0, weight: 1 },
    { variation: 1, weight: 1 },
  ];
  expect(reasonOf({ kind: "experiment", variations }, user("userKeyA"))).toMatchObject({
    variation: 1,
    reason: { inExperiment: true },
  });
});

test("a share with a variation beyond the last is malformed for those in it alone", () => {
  const variations = [
    { variation: 9, weight: 50_000 },
    { variation: 1, weight: 50_000 },
  ];
  expect(reasonOf({ variations }, user("userKeyA")).reason).toEqual(malformed);
  expect(reasonOf({ variations }, user("userKeyB")).variation).toBe(1);
});

test("prefixes of every length are hashed right", () => {
  for (let length = 0; length < 150; length++) {
    const salt = "s".repeat(length);
    const bucket = bucketOf(`hashKey.${salt}.u`);
    expect([length, dealt({ variations: around(bucket) }, user("u"), { salt })]).toEqual([length, 1]);
  }
});

test("segments deal out in the same way", () => {
  const matches = (weight: number, members: Item = {}, context: object = user("userKeyA")) =>
    evaluateFirst([flagWithClauses([{ op: "segmentMatch", values: ["hashKey"] }])], context, {
      segments: [segment("hashKey", { salt: "saltyA", rules: [{ clauses: [], weight, ...members }] })],
    }).reason.kind;
  expect([matches(42_157), matches(42_158)]).toEqual(["FALLTHROUGH", "RULE_MATCH"]);
  expect([matches(1, { bucketBy: "missing" }), matches(0, { bucketBy: "missing" })]).toEqual([
    "RULE_MATCH",
    "FALLTHROUGH",
  ]);
  expect(matches(100_000, { rolloutContextKind: "org" })).toBe("FALLTHROUGH");
  expect(matches(1, { rolloutContextKind: "user", bucketBy: "//" })).toBe("ERROR");
  const org = { kind: "org", key: "userKeyA" };
  expect([
    matches(42_157, { rolloutContextKind: "org" }, org),
    matches(42_158, { rolloutContextKind: "org" }, org),
  ]).toEqual(["FALLTHROUGH", "RULE_MATCH"]);
});

test("a text of 16,384 characters is dealt out like any other, and a longer one like none at all", () => {
  for (const [length, variation] of [
    [16_384, 1],
    [16_385, 0],
  ] as const) {
    const key = "k".repeat(length);
    const variations = around(bucketOf(`hashKey.saltyA.${key}`));
    expect(dealt({ variations }, user(key))).toBe(variation);
    const flags = compileFlags(
      dataOf([flag("hashKey", { salt: "saltyA", fallthrough: { rollout: { variations } } })]),
    );
    const all = JSON.parse(flags.evaluateAll(createContext(user(key))));
    expect(all.hashKey.variation).toBe(variation);
  }
});
