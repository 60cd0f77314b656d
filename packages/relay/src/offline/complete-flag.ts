import { type Fields, isFields } from "../fields.js";

const everywhere = { usingMobileKey: true, usingEnvironmentId: true };

/**
 * A flag as every SDK takes it: with all that the strict ones insist on. A flag that is a value is on and gives it to
 * everybody; `true` and `false` have the other one as their second variation.
 */
export function completeFlag(key: string, given: unknown): Fields {
  if (!isFields(given)) return completeFlag(key, flagOfValue(given));
  const available = given.clientSideAvailability ?? availabilityOf(given);
  return {
    key,
    version: 1,
    on: true,
    prerequisites: [],
    fallthrough: { variation: 0 },
    offVariation: null,
    salt: key,
    trackEvents: false,
    trackEventsFallthrough: false,
    debugEventsUntilDate: null,
    deleted: false,
    ...withoutNulls(given),
    targets: listOf(given.targets),
    contextTargets: listOf(given.contextTargets),
    rules: each(given.rules, completeRule),
    clientSideAvailability: available,
    clientSide: isFields(available) && available.usingEnvironmentId === true,
  };
}

/** A flag that is on and gives this value to everybody. */
export function flagOfValue(value: unknown): Fields {
  const isBoolean = typeof value === "boolean";
  return {
    variations: isBoolean ? [true, false] : [value],
    fallthrough: { variation: value === false ? 1 : 0 },
    offVariation: isBoolean ? 1 : 0,
  };
}

/** A segment as every SDK takes it. */
export function completeSegment(key: string, given: Fields): Fields {
  return {
    key,
    version: 1,
    included: [],
    excluded: [],
    salt: key,
    deleted: false,
    ...withoutNulls(given),
    includedContexts: listOf(given.includedContexts),
    excludedContexts: listOf(given.excludedContexts),
    rules: each(given.rules, (rule, at) => ({
      id: `rule-${at}`,
      ...rule,
      clauses: each(rule.clauses, completeClause),
    })),
  };
}

/** Who writes flags by hand and says nothing else wants them to be seen. */
function availabilityOf({ clientSide }: Fields): Fields {
  return { ...everywhere, usingEnvironmentId: clientSide ?? everywhere.usingEnvironmentId };
}

/** A name with nothing behind it is null in YAML. */
function withoutNulls(given: Fields): Fields {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function listOf(given: unknown): unknown {
  return given ?? [];
}

/** Completes the objects of a list; whatever is none of either stays as it is, to be reported. */
function each(given: unknown, complete: (fields: Fields, at: number) => Fields): unknown {
  const list = listOf(given);
  if (!Array.isArray(list)) return list;
  return list.map((one: unknown, at) => (isFields(one) ? complete(one, at) : one));
}

function completeRule(rule: Fields, at: number): Fields {
  return { id: `rule-${at}`, trackEvents: false, ...rule, clauses: each(rule.clauses, completeClause) };
}

/** What a clause needs to mean anything is not made up: it is to be reported. */
function completeClause(clause: Fields): Fields {
  return { attribute: "", negate: false, ...clause };
}
