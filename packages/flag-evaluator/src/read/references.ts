import type { ClauseModel } from "./clause-model.js";
import { readFlag } from "./flag-model.js";
import type { Item } from "./item.js";
import { readSegment } from "./segment-model.js";

/** What a flag or a segment refers to itself; what those refer to in turn is not listed. All without repetitions. */
export interface References {
  /** Keys of flags: prerequisites. Some of them may not exist. */
  readonly flags: readonly string[];
  /** Keys of segments. Some of them may not exist. */
  readonly segments: readonly string[];
  /** The attributes that clauses and rollouts read, the key among them where it is dealt out by key. */
  readonly attributes: readonly AttributeUse[];
}

/** An attribute of one kind, by its reference. */
export interface AttributeUse {
  readonly contextKind: string;
  readonly attribute: string;
}

/** Lists what an item refers to. */
export function referencesOf(item: Item): References {
  const { reader, fields } = item.read();
  if (item.kind === "segments") {
    const { rules } = readSegment(reader, fields);
    const shares = rules.filter(({ weight }) => weight !== undefined);
    return collect(
      [],
      rules.flatMap(({ clauses }) => clauses),
      shares.map(({ rolloutContextKind, bucketBy }) => use(rolloutContextKind, bucketBy || "key")),
    );
  }
  const { prerequisites, rules, fallthrough } = readFlag(reader, fields);
  const rollouts = [...rules, fallthrough].flatMap(({ variation, rollout }) =>
    variation === undefined && rollout !== undefined ? [rollout] : [],
  );
  return collect(
    prerequisites.map(({ key }) => key),
    rules.flatMap(({ clauses }) => clauses),
    rollouts.map(({ contextKind, bucketBy, experiment }) =>
      use(contextKind, (!experiment && bucketBy) || "key"),
    ),
  );
}

function collect(
  flags: readonly string[],
  clauses: readonly ClauseModel[],
  buckets: readonly AttributeUse[],
): References {
  const segments = new Set<unknown>();
  const attributes = new Map<string, AttributeUse>();
  for (const { op, values } of clauses)
    if (op === "segmentMatch") for (const value of values) segments.add(value);
  const tested = clauses
    .filter(({ op }) => op !== "segmentMatch")
    .map(({ contextKind, attribute }) => use(contextKind, attribute));
  for (const one of [...tested, ...buckets]) attributes.set(JSON.stringify(one), one);
  return {
    flags: [...new Set(flags)],
    segments: [...segments].filter((key) => typeof key === "string"),
    attributes: [...attributes.values()],
  };
}

function use(contextKind: string, attribute: string): AttributeUse {
  return { contextKind: contextKind || "user", attribute };
}
