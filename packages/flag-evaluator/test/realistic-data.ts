import type { Random } from "./random.js";

// Flags as they are found in use, for measuring: 10 % off; 60 % boolean, 30 % string, 10 % JSON variations; 30 % with
// targets; up to five rules of up to three clauses over all operators; half of the fallthroughs and a quarter of the rules
// are rollouts; 15 % with prerequisites; one segment for five flags.

type Json = Record<string, unknown>;

const words = [
  "auth",
  "billing",
  "checkout",
  "dashboard",
  "editor",
  "export",
  "inbox",
  "mobile",
  "profile",
  "search",
];
const countries = ["de", "fr", "gb", "jp", "us", "br", "in"];
const plans = ["free", "pro", "team", "enterprise"];
const domains = ["@example.com", "@acme.io", "@corp.example.com", "@mail.test"];

/** Flags and segments as upstream sends them. */
export function realisticData(
  random: Random,
  flagCount: number,
): { flags: Record<string, Json>; segments: Record<string, Json> } {
  const segmentKeys = Array.from(
    { length: Math.ceil(flagCount / 5) },
    (_, i) => `segment-${random.pick(words)}-${i}`,
  );
  const flagKeys = Array.from(
    { length: flagCount },
    (_, i) => `${random.pick(["use", "config", "enable"])}-${random.pick(words)}-${random.pick(words)}-${i}`,
  );
  const segments = segmentKeys.map((key, i) => [key, segment(random, key, segmentKeys.slice(0, i))] as const);
  const flags = flagKeys.map(
    (key, i) => [key, flag(random, key, flagKeys.slice(0, i), segmentKeys)] as const,
  );
  return { flags: Object.fromEntries(flags), segments: Object.fromEntries(segments) };
}

/** Contexts of one and of several kinds, old users among them. */
export function realisticContext(random: Random): Json {
  const form = random.next();
  if (form < 0.25) return { kind: "org", ...org(random) };
  if (form < 0.5) return { kind: "multi", user: user(random), org: org(random), device: device(random) };
  if (form < 0.65) {
    const { key, email, country, ...custom } = user(random);
    return { key, email, country, custom };
  }
  return { kind: "user", ...user(random) };
}

const userKey = (random: Random): string => `user-${random.hex(3)}00000-4c1e-9f27-a1b2c3d49581`;
const orgKey = (random: Random): string => `org-${String(random.int(0, 500)).padStart(5, "0")}`;

function user(random: Random): Json {
  return {
    key: userKey(random),
    email: `${random.pick(["root", "john.dev", "admin", "zoe"])}${random.pick(domains)}`,
    country: random.pick(countries),
    plan: random.pick(plans),
    age: random.int(12, 80),
    groups: random.list(1, 3, () => random.pick(["beta", "sales", "internal", "early", "support"])),
    appVersion: `${random.int(0, 6)}.${random.int(0, 9)}.${random.int(0, 9)}`,
    createdAt: random.chance(0.5) ? random.int(1.5e12, 1.7e12) : "2023-06-17T07:18:54.109Z",
    address: { city: random.pick(["Paris", "Tokyo", "Berlin"]) },
  };
}

function org(random: Random): Json {
  return { key: orgKey(random), name: "Org", plan: random.pick(plans), employees: random.int(1, 2000) };
}

function device(random: Random): Json {
  return {
    key: `dev-${random.hex(16)}`,
    os: random.pick(["ios", "android", "macos"]),
    version: `${random.int(1, 9)}.${random.int(0, 9)}`,
  };
}

function segment(random: Random, key: string, others: readonly string[]): Json {
  const size = random.chance(0.2) ? 2000 : random.int(5, 300);
  return {
    key,
    version: random.int(1, 99),
    salt: random.hex(32),
    included: Array.from({ length: size }, () => userKey(random)),
    excluded: random.list(0, 20, () => userKey(random)),
    includedContexts: random.chance(0.3)
      ? [{ contextKind: "org", values: random.list(1, 20, () => orgKey(random)) }]
      : [],
    excludedContexts: [],
    rules: random.list(0, 2, () => ({
      id: random.hex(24),
      clauses: [clause(random, random.chance(0.1) ? others : [])],
      ...(random.chance(0.3) ? { weight: random.int(1, 99_999) } : {}),
    })),
    deleted: false,
  };
}

function flag(random: Random, key: string, others: readonly string[], segments: readonly string[]): Json {
  const type = random.next();
  const variations =
    type < 0.6
      ? [true, false]
      : type < 0.9
        ? random.list(2, 4, (i) => `variant-${random.pick(words)}-${i}`)
        : random.list(2, 3, (i) => ({
            enabled: true,
            limits: { max: random.int(1, 999), window: "60s" },
            label: `conf-${i}`,
            note: random.hex(40),
          }));
  const targets = random.chance(0.3)
    ? variations.slice(0, 2).map((_, variation) => ({
        variation,
        values: Array.from({ length: random.chance(0.05) ? 500 : random.int(1, 40) }, () => userKey(random)),
      }))
    : [];
  const availability = { usingMobileKey: true, usingEnvironmentId: random.chance(0.9) };
  return {
    key,
    version: random.int(1, 300),
    on: !random.chance(0.1),
    prerequisites:
      random.chance(0.15) && others.length > 0
        ? [{ key: random.pick(others), variation: random.int(0, 1) }]
        : [],
    targets,
    contextTargets: random.chance(0.05)
      ? [{ contextKind: "org", variation: 0, values: random.list(1, 10, () => orgKey(random)) }]
      : [],
    rules: random.list(0, 5, () => ({
      id: random.hex(24),
      clauses: random.list(1, 3, () => clause(random, segments)),
      trackEvents: random.chance(0.05),
      ...variationOrRollout(random, variations.length, 0.25),
    })),
    fallthrough: variationOrRollout(random, variations.length, 0.5),
    offVariation: variations.length - 1,
    variations,
    salt: random.hex(32),
    clientSide: availability.usingEnvironmentId,
    clientSideAvailability: availability,
    trackEvents: random.chance(0.1),
    trackEventsFallthrough: random.chance(0.03),
    debugEventsUntilDate: random.chance(0.02) ? 1_900_000_000_000 : null,
    deleted: false,
  };
}

function variationOrRollout(random: Random, count: number, rollouts: number): Json {
  if (!random.chance(rollouts)) return { variation: random.int(0, count - 1) };
  const first = random.int(1000, 99_000);
  const weights = [first, 100_000 - first];
  return {
    rollout: {
      ...(random.chance(0.1) ? { kind: "experiment", seed: random.int(1, 1e6) } : {}),
      ...(random.chance(0.2) ? { contextKind: random.pick(["user", "org"]) } : {}),
      variations: weights.map((weight, variation) => ({ variation, weight })),
    },
  };
}

function clause(random: Random, segments: readonly string[]): Json {
  const negate = random.chance(0.1);
  const some = <T>(items: readonly T[]): T[] => random.list(1, 4, () => random.pick(items));
  const make = random.pick<() => Json>([
    () => ({ attribute: "country", op: "in", values: some(countries), contextKind: "user" }),
    () => ({ attribute: "plan", op: "in", values: some(plans), contextKind: random.pick(["user", "org"]) }),
    () => ({ attribute: "key", op: "in", values: random.list(1, 10, () => userKey(random)) }),
    () => ({ attribute: "key", op: "startsWith", values: [`user-${random.hex(1)}`] }),
    () => ({ attribute: "email", op: "endsWith", values: some(domains) }),
    () => ({ attribute: "email", op: "contains", values: [random.pick(["admin", "dev", "root"])] }),
    () => ({
      attribute: "email",
      op: "matches",
      values: [random.pick(["@(corp\\.)?example\\.com$", "^[a-m].*@", "^(root|admin)"])],
    }),
    () => ({
      attribute: "age",
      op: random.pick(["lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"]),
      values: [random.int(12, 80)],
    }),
    () => ({
      attribute: "createdAt",
      op: random.pick(["before", "after"]),
      values: [random.int(1.5e12, 1.7e12)],
    }),
    () => ({
      attribute: "appVersion",
      op: random.pick(["semVerEqual", "semVerLessThan", "semVerGreaterThan"]),
      values: [`${random.int(0, 6)}.${random.int(0, 9)}.0`],
    }),
    () => ({ attribute: "groups", op: "in", values: some(["beta", "sales", "internal", "early"]) }),
    () => ({ attribute: "/address/city", op: "in", values: ["Paris", "Berlin"], contextKind: "user" }),
    () => ({ attribute: "os", op: "in", values: some(["ios", "android", "windows"]), contextKind: "device" }),
    () => ({ attribute: "anonymous", op: "in", values: [random.chance(0.5)], contextKind: "user" }),
    () => ({ attribute: "", op: "segmentMatch", values: segments.length > 0 ? some(segments) : [] }),
  ]);
  return { ...make(), negate };
}
