/** The members of flags that there are; others may come with later versions of the protocol. */
export const flagNames: readonly string[] = [
  "key",
  "version",
  "on",
  "prerequisites",
  "targets",
  "contextTargets",
  "rules",
  "fallthrough",
  "offVariation",
  "variations",
  "clientSideAvailability",
  "clientSide",
  "salt",
  "trackEvents",
  "trackEventsFallthrough",
  "debugEventsUntilDate",
  "deleted",
  "migration",
  "samplingRatio",
  "excludeFromSummaries",
];

/** The members of segments that there are. */
export const segmentNames: readonly string[] = [
  "key",
  "version",
  "included",
  "excluded",
  "includedContexts",
  "excludedContexts",
  "salt",
  "rules",
  "unbounded",
  "unboundedContextKind",
  "generation",
  "deleted",
];
