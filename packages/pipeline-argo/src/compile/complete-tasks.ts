import { type DagSpec, type PipelineTaskSpec, pointer } from "@wye/pipeline-spec";
import type { Finding } from "../problems/problem-book.js";
import { quote } from "../problems/quote.js";
import { compareBytes, sortedEntries } from "../text/byte-order.js";
import type { Compilation } from "./compilation.js";
import type { NamedTask } from "./placed-task.js";

/**
 * The tasks of a DAG in the order in which the back end looks at them, each with the retry policy of the task that runs the DAG,
 * unless it has one of its own.
 */
export function orderedTasks(
  dag: DagSpec,
  path: string,
  by: NamedTask | undefined,
  compilation: Compilation,
): NamedTask[] {
  const retryPolicy = by?.spec.retryPolicy;
  return sortedEntries(dag.tasks).map(([name, spec]) => {
    const at = pointer(`${path}/dag/tasks`, name);
    return {
      name,
      path: at,
      spec: spec.retryPolicy === undefined && retryPolicy !== undefined ? { ...spec, retryPolicy } : spec,
      retryPath: spec.retryPolicy === undefined ? by?.retryPath : `${at}/retryPolicy`,
      component: compilation.component(spec.componentRef?.name ?? ""),
    };
  });
}

/** The task with the producers of its inputs among its dependencies, all in order. */
export function withProducers(
  task: NamedTask,
  dag: DagSpec,
  refuse: (finding: Omit<Finding, "backEnd"> & { readonly producer: string }) => void,
): NamedTask {
  const { name, path, spec } = task;
  const dependentTasks = new Set<string>();
  for (const { producer, at } of producers(spec)) {
    if (Object.hasOwn(dag.tasks, producer)) dependentTasks.add(producer);
    else {
      const message = `there is no task ${quote(producer)} in the DAG of ${quote(name)}`;
      refuse({ code: "unknown-producer", path: `${path}/inputs${at}`, message, producer });
    }
  }
  for (const known of spec.dependentTasks) dependentTasks.delete(known);
  if (dependentTasks.size === 0 && isSorted(spec.dependentTasks)) return task;
  const all = [...spec.dependentTasks, ...dependentTasks].sort(compareBytes);
  return { ...task, spec: { ...spec, dependentTasks: all } };
}

function isSorted(names: readonly string[]): boolean {
  return names.every((name, at) => at === 0 || compareBytes(names[at - 1] ?? "", name) <= 0);
}

function* producers({
  inputs,
}: PipelineTaskSpec): Generator<{ readonly producer: string; readonly at: string }> {
  for (const [name, { kind }] of Object.entries(inputs?.parameters ?? {})) {
    if (kind?.$case !== "taskOutputParameter") continue;
    const at = `${pointer("/parameters", name)}/taskOutputParameter/producerTask`;
    yield { producer: kind.value.producerTask, at };
  }
  for (const [name, { kind }] of Object.entries(inputs?.artifacts ?? {})) {
    if (kind?.$case !== "taskOutputArtifact") continue;
    const at = `${pointer("/artifacts", name)}/taskOutputArtifact/producerTask`;
    yield { producer: kind.value.producerTask, at };
  }
}
