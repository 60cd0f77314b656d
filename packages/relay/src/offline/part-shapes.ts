/** A part of a flag or a segment: the names of its members, and which of those are parts, or lists of parts, themselves. */
export interface PartShape {
  readonly names: readonly string[];
  readonly parts: Readonly<Record<string, PartShape>>;
}

function shape(names: readonly string[], parts: Readonly<Record<string, PartShape>> = {}): PartShape {
  return { names: [...names, ...Object.keys(parts)], parts };
}

const clause = shape(["contextKind", "attribute", "op", "values", "negate"]);
const rollout = shape(["kind", "contextKind", "bucketBy", "seed"], {
  variations: shape(["variation", "weight", "untracked"]),
});
const target = shape(["contextKind", "values", "variation"]);
const listed = shape(["contextKind", "values"]);

// Others may come with later versions of the protocol.

/** The members of flags that there are. */
export const flagShape: PartShape = shape(
  [
    "key",
    "version",
    "on",
    "offVariation",
    "variations",
    "clientSide",
    "salt",
    "trackEvents",
    "trackEventsFallthrough",
    "debugEventsUntilDate",
    "deleted",
    "samplingRatio",
    "excludeFromSummaries",
  ],
  {
    prerequisites: shape(["key", "variation"]),
    targets: target,
    contextTargets: target,
    rules: shape(["id", "variation", "trackEvents"], { clauses: clause, rollout }),
    fallthrough: shape(["variation"], { rollout }),
    clientSideAvailability: shape(["usingMobileKey", "usingEnvironmentId"]),
    migration: shape(["checkRatio"]),
  },
);

/** The members of segments that there are. */
export const segmentShape: PartShape = shape(
  [
    "key",
    "version",
    "included",
    "excluded",
    "salt",
    "unbounded",
    "unboundedContextKind",
    "generation",
    "deleted",
  ],
  {
    includedContexts: listed,
    excludedContexts: listed,
    rules: shape(["id", "weight", "bucketBy", "rolloutContextKind"], { clauses: clause }),
  },
);
