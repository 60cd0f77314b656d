import { checkArguments, checkOptions, type DagSpec, ownEntry } from "@wye/pipeline-spec";
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
  const first = <T>(found: readonly Branch<T>[], of: Output, isOneof: boolean): T | undefined => {
    const given = found.filter(({ value }) => value !== undefined);
    const wrong = (what: string, branches: readonly Branch<T>[]) => {
      const tasks = branches.slice(0, 5).map(({ task }) => task);
      const names = [...tasks, ...(branches.length > tasks.length ? ["…"] : [])].join(", ");
      problems.error("one-of", ["outputs", ...of], `output ${of[1]}: ${what} (${names})`);
    };
    if (isOneof && given.length === 0) wrong("none of its branches has finished with a value", found);
    if (profile === "spec" && given.length > 1)
      wrong(`${given.length} branches have given a value, at most one may`, given);
    return given[0]?.value;
  };
  const parameters = Object.entries(dag.outputs?.parameters ?? {}).map(([name, { kind }]) => {
    const isOneof = kind?.$case === "valueFromOneof";
    const selectors = isOneof ? kind.value.parameterSelectors : kind ? [kind.value] : [];
    const branches = selectors.map(({ producerSubtask: task, outputParameterKey }) => ({
      task,
      value: ownEntry(outputs.get(task)?.parameters, outputParameterKey),
    }));
    return [name, first(branches, ["parameters", name], isOneof)] as const;
  });
  const artifacts = Object.entries(dag.outputs?.artifacts ?? {}).map(([name, { artifactSelectors }]) => {
    const branches = artifactSelectors.map(({ producerSubtask: task, outputArtifactKey }) => ({
      task,
      value: ownEntry(outputs.get(task)?.artifacts, outputArtifactKey),
    }));
    return [name, first(branches, ["artifacts", name], artifactSelectors.length > 1)] as const;
  });
  return resolved({ parameters: present(parameters), artifacts: present(artifacts) }, problems);
}

type Output = readonly [kind: "parameters" | "artifacts", name: string];

/** What a task has given for an output, if anything. */
interface Branch<T> {
  readonly task: string;
  readonly value: T | undefined;
}

function present<T>(entries: readonly (readonly [string, T | undefined])[]): { readonly [name: string]: T } {
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
