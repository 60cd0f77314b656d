import type { Seeded } from "./seeded.js";
import {
  cities,
  countries,
  domains,
  groups,
  moment,
  organisationKey,
  organisations,
  plans,
  systems,
  userKey,
  users,
} from "./seeded-contexts.js";

/** A clause of a rule, as upstream writes it. */
export interface SeededClause {
  attribute: string;
  op: string;
  values: unknown[];
  negate: boolean;
  contextKind?: string;
}

/** A clause over all operators: a fifth name segments, a third compare for equality. */
export function seededClause(random: Seeded, segmentKeys: readonly string[]): SeededClause {
  const kind = random.chance(0.3) ? random.pick(["org", "device"]) : undefined;
  const negate = random.chance(0.1);
  const named = kind ?? (random.chance(0.5) ? "user" : undefined);
  const form = random.next();
  const of = (attribute: string, op: string, values: unknown[], contextKind = named): SeededClause => ({
    attribute,
    op,
    values,
    negate,
    ...(contextKind === undefined ? {} : { contextKind }),
  });
  /** Without the kind. */
  const plain = (attribute: string, op: string, values: unknown[]): SeededClause => ({
    attribute,
    op,
    values,
    negate,
  });
  if (segmentKeys.length > 0 && form < 0.2) {
    return plain("", "segmentMatch", random.some(segmentKeys).slice(0, 2));
  }
  if (form < 0.55) return of(...equality(random, kind, named));
  if (form < 0.68) return plain(...textSearch(random));
  if (form < 0.73) {
    const patterns = ["^[a-m].*@", "@(corp\\.)?example\\.com$", "\\d{3,}@", "^(admin|root)"];
    return plain("email", "matches", [random.pick(patterns)]);
  }
  if (form < 0.83) {
    const op = random.pick(["lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"]);
    return kind === "org"
      ? of("employees", op, [random.below(2000)])
      : plain("age", op, [18 + random.below(50)]);
  }
  if (form < 0.9) return plain("createdAt", random.pick(["before", "after"]), [moment(random)]);
  const op = random.pick(["semVerEqual", "semVerLessThan", "semVerGreaterThan"]);
  const version = `${1 + random.below(5)}.${random.below(10)}${random.chance(0.7) ? `.${random.below(5)}` : ""}${random.chance(0.1) ? `-beta.${random.below(3)}` : ""}`;
  return kind === "device" ? of("version", op, [version]) : plain("appVersion", op, [version]);
}

function equality(
  random: Seeded,
  kind: string | undefined,
  named: string | undefined,
): [attribute: string, op: string, values: unknown[]] {
  const which = random.below(6);
  if (kind === "org") {
    return random.pick(["plan", "key"]) === "plan"
      ? ["plan", "in", random.some(plans)]
      : ["key", "in", random.list(1 + random.below(8), () => organisationKey(random.below(organisations)))];
  }
  if (kind === "device") return ["os", "in", random.some(systems)];
  if (which === 1) return ["plan", "in", random.some(plans)];
  if (which === 2) return ["groups", "in", random.some(groups)];
  if (which === 3)
    return ["key", "in", random.list(1 + random.below(20), () => userKey(random.below(users)))];
  if (which === 4 && named !== undefined) return ["/address/city", "in", random.some(cities)];
  if (which === 5) return ["anonymous", "in", [random.chance(0.5)]];
  return ["country", "in", random.some(countries)];
}

function textSearch(random: Seeded): [attribute: string, op: string, values: unknown[]] {
  const op = random.pick(["startsWith", "endsWith", "contains"]);
  if (op === "endsWith") return ["email", op, random.some(domains).map((domain) => `@${domain}`)];
  const texts = op === "startsWith" ? ["a", "b", "ad", "john", "m"] : ["+test", ".dev", "admin", "qa"];
  return ["email", op, random.some(texts)];
}
