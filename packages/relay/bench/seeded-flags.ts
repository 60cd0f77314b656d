import { Seeded } from "./seeded.js";
import { type SeededClause, seededClause } from "./seeded-clause.js";
import { organisationKey, organisations, userKey, users } from "./seeded-contexts.js";

type Json = Record<string, unknown>;

/** What upstream sends of an environment. */
export interface SeededData {
  readonly flags: Record<string, Json>;
  readonly segments: Record<string, Json>;
}

const nouns = [
  "checkout",
  "search",
  "billing",
  "profile",
  "onboarding",
  "export",
  "dashboard",
  "editor",
  "payments",
  "inbox",
  "auth",
  "mobile",
];
const verbs = ["enable", "new", "use", "rollout", "experiment", "kill-switch", "config", "migrate"];

/**
 * The environment that relays are compared with: a tenth of the flags is off; 60 % boolean, 30 % text, 10 % JSON; 30 % with
 * targets; up to five rules of up to three clauses; half of the fallthroughs and a quarter of the rules are rollouts; 15 %
 * with prerequisites; a segment for five flags. The seed and the order of choices never change: figures stay comparable.
 */
export function seededData(count: number, seed = 1): SeededData {
  const random = new Seeded(seed);
  const segments: Record<string, Json> = {};
  for (let i = 0; i < Math.max(5, Math.round(count / 5)); i++) {
    const key = `segment-${random.pick(nouns)}-${i}`;
    segments[key] = segment(random, key, Object.keys(segments));
  }
  const flags: Record<string, Json & { variations: unknown[] }> = {};
  for (let i = 0; i < count; i++) {
    const key = `${random.pick(verbs)}-${random.pick(nouns)}-${random.pick(nouns)}-${i}`;
    flags[key] = flag(random, key, Object.keys(segments), flags);
  }
  return { flags, segments };
}

const someUsers = (random: Seeded, count: number): string[] =>
  random.list(count, () => userKey(random.below(users)));
const someOrganisations = (random: Seeded): string[] =>
  random.list(1 + random.below(20), () => organisationKey(random.below(organisations)));

function segment(random: Seeded, key: string, others: readonly string[]): Json {
  const head = { key, version: 1 + random.below(50), salt: random.hex(32) };
  const size = random.chance(0.1) ? 2000 : random.chance(0.4) ? 100 : random.below(20);
  const included = someUsers(random, size);
  const excluded: string[] = [];
  // The end is chosen anew for each.
  for (let i = 0; i < random.below(10); i++) excluded.push(userKey(random.below(users)));
  const includedContexts = random.chance(0.2)
    ? { includedContexts: [{ contextKind: "org", values: someOrganisations(random) }] }
    : {};
  const rules: Json[] = [];
  if (random.chance(0.6)) {
    for (let i = 0; i < 1 + random.below(2); i++) rules.push(segmentRule(random, others));
  }
  return { ...head, included, excluded, rules, deleted: false, unbounded: false, ...includedContexts };
}

function segmentRule(random: Seeded, others: readonly string[]): Json {
  const id = random.hex(24);
  const clauses: SeededClause[] = [];
  for (let i = 0; i < 1 + random.below(2); i++)
    clauses.push(seededClause(random, random.chance(0.15) ? others : []));
  const rule: Json = { id, clauses };
  if (random.chance(0.3)) {
    rule.weight = random.below(100_001);
    if (random.chance(0.3)) rule.bucketBy = "email";
    if (random.chance(0.3)) rule.rolloutContextKind = "org";
  }
  return rule;
}

function variationsOf(random: Seeded): unknown[] {
  const form = random.next();
  if (form < 0.6) return [true, false];
  if (form < 0.9) return random.list(2 + random.below(3), (n) => `variant-${random.pick(nouns)}-${n}`);
  return random.list(2 + random.below(2), (n) => ({
    enabled: n > 0,
    limits: { max: random.below(1000), window: "60s" },
    label: `conf-${n}`,
    list: ["a", "b", "c"],
    note: random.hex(40),
  }));
}

function flag(
  random: Seeded,
  key: string,
  segmentKeys: readonly string[],
  earlier: Readonly<Record<string, { readonly variations: unknown[] }>>,
): Json & { variations: unknown[] } {
  const variations = variationsOf(random);
  const head = {
    key,
    version: 1 + random.below(300),
    on: !random.chance(0.1),
    offVariation: variations.length - 1,
    variations,
    salt: random.hex(32),
    clientSide: true,
    clientSideAvailability: { usingMobileKey: true, usingEnvironmentId: true },
    trackEvents: random.chance(0.08),
    trackEventsFallthrough: random.chance(0.03),
    debugEventsUntilDate: random.chance(0.01) ? 4102444800000 : null,
    deleted: false,
  };
  return {
    ...head,
    prerequisites: prerequisitesOf(random, earlier),
    ...targetsOf(random, variations.length),
    rules: rulesOf(random, segmentKeys, variations.length),
    fallthrough: random.chance(0.5)
      ? { rollout: rollout(random, variations.length) }
      : { variation: random.below(variations.length) },
  };
}

function prerequisitesOf(
  random: Seeded,
  earlier: Readonly<Record<string, { readonly variations: unknown[] }>>,
): Json[] {
  const keys = Object.keys(earlier);
  const prerequisites: Json[] = [];
  if (keys.length === 0 || !random.chance(0.15)) return prerequisites;
  for (let i = 0; i < 1 + random.below(2); i++) {
    const key = random.pick(keys);
    prerequisites.push({ key, variation: random.below(Math.min(2, earlier[key]?.variations.length ?? 0)) });
  }
  return prerequisites;
}

function targetsOf(random: Seeded, variations: number): { targets: Json[]; contextTargets: Json[] } {
  if (!random.chance(0.3)) return { targets: [], contextTargets: [] };
  const targets = random.list(Math.min(2, variations), (variation) => {
    const size = random.chance(0.1) ? 500 : 1 + random.below(40);
    return { variation, values: someUsers(random, size) };
  });
  if (!random.chance(0.3)) return { targets, contextTargets: [] };
  const placeholders = targets.map(({ variation }) => ({ contextKind: "user", variation, values: [] }));
  const ofOrganisations = { contextKind: "org", variation: 0, values: someOrganisations(random) };
  return { targets, contextTargets: [...placeholders, ofOrganisations] };
}

function rulesOf(random: Seeded, segmentKeys: readonly string[], variations: number): Json[] {
  return random.list(random.pick([0, 0, 1, 1, 1, 2, 2, 3, 4, 5]), () => {
    const id = random.hex(24);
    const trackEvents = random.chance(0.05);
    const clauses = random.list(random.pick([1, 1, 1, 2, 2, 3]), () => seededClause(random, segmentKeys));
    const then = random.chance(0.25)
      ? { rollout: rollout(random, variations) }
      : { variation: random.below(variations) };
    return { id, clauses, trackEvents, ...then };
  });
}

function rollout(random: Seeded, variations: number): Json {
  const experiment = random.chance(0.1);
  let left = 100_000;
  const shares = random.list(variations, (variation) => {
    const weight = variation === variations - 1 ? left : random.below(left + 1);
    left -= weight;
    return { variation, weight, ...(experiment && random.chance(0.2) ? { untracked: true } : {}) };
  });
  const rollout: Json = { variations: shares };
  if (experiment) Object.assign(rollout, { kind: "experiment", seed: random.below(1e6) });
  else if (random.chance(0.12)) rollout.bucketBy = random.pick(["country", "age", "email", "/address/city"]);
  const kind = random.next();
  if (kind < 0.45) rollout.contextKind = kind < 0.3 ? "user" : "org";
  return rollout;
}
