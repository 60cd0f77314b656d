import type { StreamEvent } from "./replay.js";

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fields = (value: unknown): Fields => (isFields(value) ? value : {});
const optional = (name: string, value: unknown): Fields =>
  value === undefined || value === null || value === "" ? {} : { [name]: value };

/** A flag as the reference writes it: known properties only, defaults filled in (relay.md §12.2). */
function canonicalFlag(value: unknown): Fields {
  const flag = fields(value);
  const available = fields(flag.clientSideAvailability);
  const hasAvailability = isFields(flag.clientSideAvailability);
  return {
    key: flag.key,
    on: flag.on ?? false,
    prerequisites: list(flag.prerequisites),
    targets: list(flag.targets).map(canonicalTarget),
    contextTargets: list(flag.contextTargets).map(canonicalTarget),
    rules: list(flag.rules).map(canonicalRule),
    fallthrough: canonicalDecision(flag.fallthrough),
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

/** A segment as the reference writes it. */
function canonicalSegment(value: unknown): Fields {
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
      clauses: list(fields(rule).clauses).map(canonicalClause),
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

function canonicalTarget(value: unknown): Fields {
  const target = fields(value);
  return {
    ...optional("contextKind", target.contextKind),
    variation: target.variation,
    values: list(target.values),
  };
}

function canonicalRule(value: unknown): Fields {
  const rule = fields(value);
  return {
    ...canonicalDecision(rule),
    ...optional("id", rule.id),
    clauses: list(rule.clauses).map(canonicalClause),
    trackEvents: rule.trackEvents ?? false,
  };
}

function canonicalDecision(value: unknown): Fields {
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

function canonicalClause(value: unknown): Fields {
  const clause = fields(value);
  return {
    ...optional("contextKind", clause.contextKind),
    attribute: clause.attribute ?? "",
    op: clause.op,
    values: list(clause.values),
    negate: clause.negate ?? false,
  };
}

function mapValues(value: unknown, change: (item: unknown) => unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, item === null ? null : change(item)]),
  );
}

/** The events of `/all` or `/flags` with canonical items. */
export function canonicalEvents(events: readonly StreamEvent[]): StreamEvent[] {
  return events.map(({ event, data }) => {
    if (!isFields(data) || (event !== "put" && event !== "patch")) return { event, data };
    if (event === "patch") {
      const canonical = String(data.path).startsWith("/segments/") ? canonicalSegment : canonicalFlag;
      return { event, data: { ...data, data: canonical(data.data) } };
    }
    if (data.path !== "/") return { event, data: mapValues(data, canonicalFlag) };
    const { flags, segments } = fields(data.data);
    const all = { flags: mapValues(flags, canonicalFlag), segments: mapValues(segments, canonicalSegment) };
    return { event, data: { ...data, data: all } };
  });
}

/** A body of PHP polling with canonical items; others as they are. */
export function canonicalBody(json: unknown, path: string): unknown {
  if (/^\/sdk\/flags(?:\?|$)/.test(path)) return mapValues(json, canonicalFlag);
  if (path.startsWith("/sdk/flags/")) return canonicalFlag(json);
  return path.startsWith("/sdk/segments/") ? canonicalSegment(json) : json;
}
