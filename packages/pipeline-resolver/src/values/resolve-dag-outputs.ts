import { type ArtifactList, checkArguments, checkOptions, type DagSpec, ownEntry } from "@wye/pipeline-spec";
import { checkOutputs } from "./check-values.js";
import { type Profile, profiles } from "./convert-parameter.js";
import type { TaskOutputs } from "./task-values.js";
import { type Resolved, resolved, ValueProblems } from "./value-problem.js";

/** Settings of `resolveDagOutputs`. */
export interface DagOutputOptions {
  /** By the specification more than one branch of a one-of with a value is wrong; the back ends take the first. */
  readonly profile?: Profile;
}

/**
 * What a DAG has made, from what its tasks have made (those that have succeeded). An output whose task did not run is left out. Of a
 * one-of, and of several artifacts, the first that has a value counts; without any it is a problem, as on the back ends.
 */
export function resolveDagOutputs(
  dag: DagSpec,
  outputs: ReadonlyMap<string, TaskOutputs>,
  options: DagOutputOptions = {},
): Resolved<TaskOutputs> {
  checkArguments("resolveDagOutputs", "object", { dag });
  checkOutputs("resolveDagOutputs", outputs);
  checkOptions("resolveDagOutputs", options, { profile: profiles });
  const { profile = "kfp" } = options;
  const problems = new ValueProblems();
  const first = <T>(found: readonly T[], path: readonly string[], isOneof: boolean): T | undefined => {
    if (isOneof && found.length === 0) {
      problems.error("one-of", path, "none of its branches has finished with a value");
    }
    if (profile === "spec" && found.length > 1) {
      problems.error("one-of", path, `${found.length} branches have given a value, at most one may`);
    }
    return found[0];
  };
  const parameters = Object.entries(dag.outputs?.parameters ?? {}).map(([name, { kind }]) => {
    const selectors =
      kind?.$case === "valueFromOneof" ? kind.value.parameterSelectors : kind ? [kind.value] : [];
    const values = selectors
      .map((one) => ownEntry(outputs.get(one.producerSubtask)?.parameters, one.outputParameterKey))
      .filter((value) => value !== undefined);
    return [name, first(values, ["outputs", "parameters", name], kind?.$case === "valueFromOneof")] as const;
  });
  const artifacts = Object.entries(dag.outputs?.artifacts ?? {}).map(([name, { artifactSelectors }]) => {
    const lists = artifactSelectors
      .map((one) => ownEntry(outputs.get(one.producerSubtask)?.artifacts, one.outputArtifactKey))
      .filter((list): list is ArtifactList => list !== undefined);
    return [name, first(lists, ["outputs", "artifacts", name], artifactSelectors.length > 1)] as const;
  });
  return resolved({ parameters: present(parameters), artifacts: present(artifacts) }, problems);
}

function present<T>(entries: readonly (readonly [string, T | undefined])[]): { readonly [name: string]: T } {
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
