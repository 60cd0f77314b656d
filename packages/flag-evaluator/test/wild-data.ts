import type { Random } from "./random.js";

// Flags, segments and contexts of every odd shape that the reference evaluator and the official JavaScript SDK treat
// alike: malformed rules, references and operators, wild weights, unicode, mixed types. What they are known to treat
// differently is left out, and has tests of its own in `sdk-quirks.test.ts`; comments with "quirk" say where.

type Json = Record<string, unknown>;

const kinds = ["user", "org", "device"];
const keys = ["a", "b", "ключ", "日本", "😀", "k:e%y", "a.b", "user-1", "user-2", "x".repeat(90), '"\\\n'];
const words = [
  "",
  "de",
  "fr",
  "ümläut",
  "日本語",
  "😀😀",
  "de fr",
  "DE",
  "beta",
  "tab\t",
  'quo"te',
  "\u2028",
];
const numbers = [0, -1, 1, 1.5, 29, 1e6, -2.25, 2 ** 40, 1_600_000_000_000];
const dates = [
  "2023-06-17T07:18:54.109Z",
  "2020-02-29T00:00:00Z",
  "2023-06-17T07:18:54+02:00",
  "nonsense",
  "",
];
const versions = [
  "1.2.3",
  "2",
  "2.1",
  "2.0.0-beta.1",
  "2.0.0-beta.11",
  "2.0.0+build",
  "10.0.0",
  "1.2.3.4",
  "abc",
  "",
];
const patterns = ["^de", "r$", "[a-z]+", "(de|fr)", "b.ta", "^$", "\\d", "ü", "("];
const attributes = ["country", "age", "groups", "nested", "flag", "time", "version", "toString", "a/b"];
const operators = [
  ...["in", "in", "in", "startsWith", "endsWith", "contains", "matches"],
  ...["lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"],
  ...["before", "after", "semVerEqual", "semVerLessThan", "semVerGreaterThan", "frobnicate"],
];

export interface WildData {
  readonly flags: Readonly<Record<string, Json>>;
  readonly segments: Readonly<Record<string, Json>>;
}

/** Keys of segments: those which are never circular or malformed, and all others. */
interface Segments {
  readonly sound: readonly string[];
  readonly others: readonly string[];
}

/** Flags and segments that refer to each other by few keys. */
export function wildData(random: Random, flagCount: number): WildData {
  const segmentKeys = Array.from({ length: 8 }, (_, i) => `${random.pick(keys)} ${i}`);
  const segmentSets: Segments = { sound: segmentKeys.slice(0, 4), others: segmentKeys.slice(4) };
  const segments = segmentKeys.map(
    (key, i) =>
      [
        key,
        segment(random, key, i < 4 ? { sound: segmentKeys.slice(0, i), others: [] } : segmentSets, i < 4),
      ] as const,
  );
  const flags: [string, Json][] = [];
  const sound: string[] = [];
  for (let i = 0; i < flagCount; i++) {
    const key = `${random.pick(keys)} ${i}`;
    // Quirk: an error in a prerequisite makes more of a difference to the SDK.
    const isSound = random.chance(0.5);
    flags.push([key, flag(random, key, [...sound, "missing"], segmentSets, isSound)]);
    if (isSound) sound.push(key);
  }
  return { flags: Object.fromEntries(flags), segments: Object.fromEntries(segments) };
}

/** A context of one kind, of several, or an old user. */
export function wildContext(random: Random): Json {
  const form = random.next();
  if (form < 0.2) {
    // Quirk: of a built-in and a custom attribute of one name the SDK takes the built-in, not the later.
    const { name, country, ...custom } = values(random);
    return {
      key: random.pick(keys),
      email: "a@b.c",
      country: random.pick(words),
      custom,
      anonymous: random.chance(0.5),
    };
  }
  if (form < 0.6) return { kind: random.pick(kinds), key: random.pick(keys), ...values(random) };
  const some = kinds.filter(() => random.chance(0.7));
  const parts = some.map((kind) => [kind, { key: random.pick(keys), ...values(random) }] as const);
  return parts.length === 0
    ? { kind: "user", key: "alone" }
    : { kind: "multi", ...Object.fromEntries(parts) };
}

function values(random: Random): Json {
  const made: Json = {};
  if (random.chance(0.5)) made.anonymous = random.chance(0.5);
  if (random.chance(0.3)) made.name = random.pick(words);
  for (const name of attributes) if (random.chance(0.6)) made[name] = attributeValue(random, name);
  return made;
}

function attributeValue(random: Random, name: string): unknown {
  if (random.chance(0.1)) return random.pick([null, true, {}, [], [[]], "", 0]);
  switch (name) {
    case "age":
      return random.pick(numbers);
    case "groups":
      return random.list(0, 4, () => random.pick([...words, ...numbers, true, { a: 1 }]));
    case "nested":
      return {
        a: { b: random.pick(words), "c/d~e": random.pick(numbers) },
        list: random.list(0, 2, () => random.pick(words)),
      };
    case "flag":
      return random.chance(0.5);
    case "time":
      return random.chance(0.5) ? random.pick(dates) : random.int(1.5e12, 1.7e12);
    case "version":
      return random.pick(versions);
    default:
      return random.pick(words);
  }
}

function clause(random: Random, segments: readonly string[]): Json {
  const negate = random.chance(0.3) ? { negate: true } : {};
  if (random.chance(0.2)) {
    return {
      attribute: "",
      op: "segmentMatch",
      values: random.list(0, 3, () => random.pick([...segments, "missing"])),
      ...negate,
    };
  }
  const op = random.pick(operators);
  const contextKind = random.chance(0.7) ? { contextKind: random.pick([...kinds, "unheard-of"]) } : {};
  const reference =
    "contextKind" in contextKind
      ? random.pick([
          ...attributes,
          "key",
          "kind",
          "name",
          "anonymous",
          "/nested/a/b",
          "/nested/a/c~1d~0e",
          "/nested/list",
          "/groups/0",
          "/country",
        ])
      : random.pick([...attributes, "key", "kind", "name", "anonymous"]);
  return {
    attribute: reference,
    op,
    values: random.list(0, 4, () => clauseValue(random, op)),
    ...contextKind,
    ...negate,
  };
}

/**
 * Clauses of a rule. Quirk: the SDK only notices errors of the last, so only that may be malformed or name a segment that
 * cannot be relied upon.
 */
function clauses(random: Random, segments: Segments, isSound: boolean): Json[] {
  const list = random.list(0, 3, () => clause(random, segments.sound));
  if (isSound || random.chance(0.8)) return list;
  const values = random.list(1, 3, () => random.pick([...segments.sound, ...segments.others]));
  return [
    ...list,
    random.chance(0.5) ? failingClause(random) : { attribute: "", op: "segmentMatch", values },
  ];
}

function clauseValue(random: Random, op: string): unknown {
  const isDate = op === "before" || op === "after";
  // Quirk: to the SDK a moment may lie between two milliseconds, as 1.5 does behind 1.
  if (random.chance(0.15)) return random.pick([true, false, isDate ? 0 : 1, "de", {}, ["de"]]);
  if (op === "matches") return random.pick(patterns);
  if (isDate) return random.chance(0.5) ? random.pick(dates) : random.int(1.5e12, 1.7e12);
  if (op.startsWith("semVer")) return random.pick(versions);
  if (op.startsWith("less") || op.startsWith("greater")) return random.pick(numbers);
  return random.pick([...words, ...kinds, ...keys, ...numbers.slice(0, 4)]);
}

function failingClause(random: Random): Json {
  return {
    contextKind: "user",
    attribute: random.pick(["", "/", "//", "/a//b", "/a/~2"]),
    op: "in",
    values: ["de"],
  };
}

function segment(random: Random, key: string, segments: Segments, isSound: boolean): Json {
  const unbounded = random.chance(0.25);
  // Quirk: the SDK forgets which segments it came through when it enters a big one.
  const others = unbounded ? { sound: [], others: [] } : segments;
  return {
    key,
    version: 1,
    salt: random.pick(words),
    included: random.list(0, 3, () => random.pick(keys)),
    excluded: random.list(0, 3, () => random.pick(keys)),
    // Quirk: the SDK looks at listed contexts of kind user even where there is only a user.
    includedContexts: random.list(0, 2, () => ({
      contextKind: random.pick(["org", "device"]),
      values: random.list(0, 3, () => random.pick(keys)),
    })),
    excludedContexts: random.list(0, 2, () => ({
      contextKind: random.pick(["org", "device"]),
      values: random.list(0, 3, () => random.pick(keys)),
    })),
    rules: random.list(0, 2, () => segmentRule(random, others, isSound)),
    ...(unbounded
      ? { unbounded: true, generation: random.int(1, 3), unboundedContextKind: random.pick(kinds) }
      : {}),
  };
}

function segmentRule(random: Random, segments: Segments, isSound: boolean): Json {
  if (random.chance(0.5)) return { id: "r", clauses: clauses(random, segments, isSound) };
  // Quirk: the SDK lets contexts in that lack the kind which is dealt out, so a clause asks for it.
  const contextKind = random.pick(kinds);
  const present = { contextKind, attribute: "key", op: "startsWith", values: [""] };
  return {
    id: "r",
    clauses: [present, ...clauses(random, segments, isSound)],
    weight: random.pick([0, 1, 30_000, 50_000, 99_999, 100_000]),
    bucketBy: random.pick([undefined, "key", "country", "age", "/nested/a/b", ...(isSound ? [] : ["/"])]),
    rolloutContextKind: contextKind,
  };
}

function flag(
  random: Random,
  key: string,
  others: readonly string[],
  segments: Segments,
  isSound: boolean,
): Json {
  const variations = random.list(isSound ? 2 : 0, 5, () =>
    random.pick<unknown>([
      true,
      false,
      null,
      0,
      -1.5,
      "",
      "日本 😀",
      { deep: [{ a: null, ключ: "\u0001" }] },
      [],
      [1, "x"],
    ]),
  );
  const choose = (): number =>
    isSound || random.chance(0.9) ? random.int(0, variations.length - 1) : random.pick([-1, 9]);
  const targets = random.list(0, 3, () => ({
    variation: choose(),
    values: random.list(0, 3, () => random.pick(keys)),
  }));
  return {
    key,
    version: random.int(0, 1000),
    on: random.chance(0.85),
    prerequisites: random.chance(0.3)
      ? random.list(1, 2, () => ({ key: random.pick(others), variation: random.int(0, 1) }))
      : [],
    targets,
    // Quirk: for users the SDK always takes the plain targets.
    contextTargets: random.chance(0.4)
      ? random.list(0, 4, () => {
          const contextKind = random.pick([...kinds, undefined]);
          const own =
            contextKind === "org" || contextKind === "device"
              ? random.list(0, 3, () => random.pick(keys))
              : [];
          return { contextKind, variation: choose(), values: own };
        })
      : [],
    rules: random.list(0, 4, (i) => ({
      id: random.pick([undefined, `rule-${i}`, "ü"]),
      clauses: clauses(random, segments, isSound),
      trackEvents: random.chance(0.2),
      ...variationOrRollout(random, choose, isSound),
    })),
    fallthrough: variationOrRollout(random, choose, isSound),
    offVariation: random.chance(0.2) ? null : choose(),
    variations,
    clientSideAvailability: { usingMobileKey: random.chance(0.5), usingEnvironmentId: random.chance(0.5) },
    salt: random.pick(["salt", "", "соль", "x".repeat(60)]),
    trackEvents: random.chance(0.2),
    trackEventsFallthrough: random.chance(0.2),
    debugEventsUntilDate: random.chance(0.1) ? 1_700_000_000_000 : null,
  };
}

function variationOrRollout(random: Random, choose: () => number, isSound: boolean): Json {
  if (!isSound && random.chance(0.05)) return random.pick<Json>([{}, { rollout: { variations: [] } }]);
  if (random.chance(0.5)) return { variation: choose() };
  const experiment = random.chance(0.4);
  // Quirk: a seed of 0 is none to the SDK. Quirk: contexts without the kind are in an experiment without weights.
  const weights = random.pick([
    [50_000, 50_000],
    [1, 99_999],
    [10_000, 10_000],
    [33_333, 33_333, 33_334],
    [60_000, 60_000],
  ]);
  const contextKind = random.pick([undefined, ...kinds]);
  return {
    rollout: {
      ...(experiment ? { kind: "experiment" } : random.chance(0.3) ? { kind: "rollout" } : {}),
      contextKind,
      variations: weights.map((weight) => ({ variation: choose(), weight, untracked: random.chance(0.3) })),
      bucketBy: random.pick([
        undefined,
        "key",
        "country",
        "age",
        "groups",
        ...(contextKind === undefined ? [] : ["/nested/a/b"]),
        ...(isSound ? [] : ["/"]),
      ]),
      ...(random.chance(0.3) ? { seed: random.pick([61, 1, 123_456]) } : {}),
    },
  };
}
