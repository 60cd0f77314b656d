import type { Resolved, TaskOutputs, ValueProblem } from "@wye/pipeline-resolver";
import { checkOptions, pointer, type ResolverSpec, type RuntimeArtifact } from "@wye/pipeline-spec";
import { type ArtifactCondition, parseArtifactFilter } from "./artifact-filter.js";

/** An artifact of an earlier run, and what is known of it. */
export interface IndexedArtifact {
  readonly artifact: RuntimeArtifact;
  /** The names of the contexts that it belongs to: of its pipeline, of its run. */
  readonly contexts: readonly string[];
  /** `LIVE` by default. */
  readonly state?: string;
}

/** Settings of `selectArtifacts`. */
export interface SelectOptions {
  /** The context of queries that name none: the name of the pipeline. */
  readonly context: string;
}

/**
 * What a resolver finds in an index, which is in the order in which its artifacts were made: for each query the newest that it
 * describes, one of them unless it says how many. Finding none is a problem, as is a filter that cannot be read; all of them are told.
 */
export function selectArtifacts(
  { outputArtifactQueries }: ResolverSpec,
  index: readonly IndexedArtifact[],
  options: SelectOptions,
): Resolved<TaskOutputs> {
  checkOptions("selectArtifacts", options, { context: "any" });
  const problems: ValueProblem[] = [];
  const newest = index.toReversed();
  const found = Object.entries(outputArtifactQueries).map(([key, { filter, limit }]) => {
    const place = pointer("/outputArtifactQueries", key);
    const artifacts = query(filter, limit, newest, options.context, (member, message) =>
      problems.push({ code: "items", severity: "error", path: `${place}/${member}`, message }),
    );
    return [key, { artifacts }] as const;
  });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, value: { parameters: {}, artifacts: Object.fromEntries(found) }, problems };
}

function query(
  filter: string,
  limit: number,
  newest: readonly IndexedArtifact[],
  context: string,
  problem: (member: string, message: string) => void,
): RuntimeArtifact[] {
  if (limit < 0) problem("limit", `a query finds at least one artifact, not ${limit}`);
  const parsed = parseArtifactFilter(filter);
  if (!parsed.ok) {
    problem("filter", `column ${parsed.column} of ${JSON.stringify(filter)}: ${parsed.message}`);
    return [];
  }
  const isElsewhere = parsed.conditions.some(({ kind }) => kind === "in_context");
  const scope: readonly ArtifactCondition[] = isElsewhere ? [] : [{ kind: "in_context", value: context }];
  const conditions = [...parsed.conditions, ...scope];
  const artifacts: RuntimeArtifact[] = [];
  for (const one of newest) {
    if (artifacts.length >= (limit || 1)) break;
    if (conditions.every((condition) => holds(one, condition))) artifacts.push(one.artifact);
  }
  if (artifacts.length === 0) problem("filter", `no artifact is described by ${JSON.stringify(filter)}`);
  return artifacts;
}

function holds(
  { artifact, contexts, state = "LIVE" }: IndexedArtifact,
  { kind, value }: ArtifactCondition,
): boolean {
  switch (kind) {
    case "in_context":
      return contexts.includes(value);
    case "artifact_type":
      return artifact.type?.kind?.$case === "schemaTitle" && artifact.type.kind.value === value;
    case "uri":
      return artifact.uri === value;
    case "state":
      return state.toUpperCase() === value.toUpperCase();
    case "name":
      return artifact.name === value;
  }
}
