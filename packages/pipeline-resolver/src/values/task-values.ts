import type { ArtifactList } from "@wye/pipeline-spec";
import type { RunFacts } from "../placeholders/resolve-placeholders.js";

/** Parameter values by name: JSON. A name without an entry has no value; null is a value. */
export type ParameterValues = { readonly [name: string]: unknown };

/** Artifacts by name; a single artifact is a list of one. */
export type Artifacts = { readonly [name: string]: ArtifactList };

/** What a task is given. */
export interface TaskInputs {
  readonly parameters: ParameterValues;
  readonly artifacts: Artifacts;
  /** The parameters that nobody gave: they have a default, or null. Cache keys of the back end do not count them. */
  readonly defaulted: readonly string[];
}

/** What a task has made. */
export interface TaskOutputs {
  readonly parameters: ParameterValues;
  readonly artifacts: Artifacts;
}

/** What surrounds a task: all that its inputs can come from. */
export interface TaskScope {
  /** The inputs of the enclosing DAG. */
  readonly parameters: ParameterValues;
  readonly artifacts: Artifacts;
  /** What the siblings that have finished have made; inside a loop those of the same iteration. */
  readonly outputs: ReadonlyMap<string, TaskOutputs>;
  /** How a sibling has ended, for `taskFinalStatus`; see `finalStatusPayload`. */
  readonly finalStatus?: (producer: string) => unknown;
  /** What placeholders in constants can say about the run. */
  readonly facts?: RunFacts;
}
