import type { ItemKind } from "@wye/flag-evaluator";
import { type Fields, isFields } from "../fields.js";

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fields = (value: unknown): Fields => (isFields(value) ? value : {});
const optional = (name: string, value: unknown): Fields =>
  value === undefined || value === null || value === "" ? {} : { [name]: value };

function completeFlag(value: unknown): Fields {
  const flag = fields(value);
  const available = fields(flag.clientSideAvailability);
  const hasAvailability = isFields(flag.clientSideAvailability);
  return {
    key: flag.key,
    on: flag.on ?? false,
    prerequisites: list(flag.prerequisites),
    targets: list(flag.targets).map(completeTarget),
    contextTargets: list(flag.contextTargets).map(completeTarget),
    rules: list(flag.rules).map(completeRule),
    fallthrough: completeDecision(flag.fallthrough),
    offVariation: flag.offVariation ?? null,
    variations: list(flag.variations),
    ...(hasAvailability ? { clientSideAvailability: available } : {}),
    clientSide: hasAvailability ? (available.usingEnvironmentId ?? false) : (flag.clientSide ?? false),
    salt: flag.salt ?? "",
    trackEvents: flag.trackEvents ?? false,
    trackEventsFallthrough: flag.trackEventsFallthrough ?? false,
    debugEventsUntilDate: flag.debugEventsUntilDate ?? null,
    version: flag.version ?? 0,
    deleted: flag.deleted ?? false,
    ...optional("migration", flag.migration),
    ...optional("samplingRatio", flag.samplingRatio),
    ...(flag.excludeFromSummaries === true ? { excludeFromSummaries: true } : {}),
  };
}

function completeSegment(value: unknown): Fields {
  const segment = fields(value);
  return {
    key: segment.key,
    included: list(segment.included),
    excluded: list(segment.excluded),
    includedContexts: list(segment.includedContexts),
    excludedContexts: list(segment.excludedContexts),
    salt: segment.salt ?? "",
    rules: list(segment.rules).map((rule) => ({
      id: fields(rule).id ?? "",
      clauses: list(fields(rule).clauses).map(completeClause),
      ...optional("weight", fields(rule).weight),
      ...optional("bucketBy", fields(rule).bucketBy),
      ...optional("rolloutContextKind", fields(rule).rolloutContextKind),
    })),
    ...(segment.unbounded === true ? { unbounded: true } : {}),
    ...optional("unboundedContextKind", segment.unboundedContextKind),
    version: segment.version ?? 0,
    generation: segment.generation ?? null,
    deleted: segment.deleted ?? false,
  };
}

function completeTarget(value: unknown): Fields {
  const target = fields(value);
  return {
    ...optional("contextKind", target.contextKind),
    variation: target.variation,
    values: list(target.values),
  };
}

function completeRule(value: unknown): Fields {
  const rule = fields(value);
  return {
    ...completeDecision(rule),
    ...optional("id", rule.id),
    clauses: list(rule.clauses).map(completeClause),
    trackEvents: rule.trackEvents ?? false,
  };
}

function completeDecision(value: unknown): Fields {
  const { variation, rollout } = fields(value);
  if (!isFields(rollout)) return optional("variation", variation);
  return {
    rollout: {
      ...optional("kind", rollout.kind),
      ...optional("contextKind", rollout.contextKind),
      variations: list(rollout.variations).map((one) => ({
        variation: fields(one).variation,
        weight: fields(one).weight,
        ...(fields(one).untracked === true ? { untracked: true } : {}),
      })),
      ...optional("seed", rollout.seed),
      ...optional("bucketBy", rollout.bucketBy),
    },
  };
}

function completeClause(value: unknown): Fields {
  const clause = fields(value);
  return {
    ...optional("contextKind", clause.contextKind),
    attribute: clause.attribute ?? "",
    op: clause.op,
    values: list(clause.values),
    negate: clause.negate ?? false,
  };
}

/**
 * A flag or a segment as ld-relay writes it into a stream or a database: the properties that it knows, with all defaults.
 * Completed in this way, what it has written can be compared with what upstream sent.
 */
export function completeItem(kind: ItemKind, item: unknown): Readonly<Record<string, unknown>> {
  return kind === "flags" ? completeFlag(item) : completeSegment(item);
}
