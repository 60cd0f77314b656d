import { didYouMean, findCycles, type PipelineGraph, type Problem } from "@wye/pipeline-spec";

/**
 * What prevents every run: a root that is no DAG, a task without a component, a component without an executor, tasks that wait for
 * each other, a loop that may do nothing. All else that may be wrong with a specification is found by the validator, and fails the task that it concerns.
 */
export function checkRunnable({
  root,
  tasks,
  components,
  executors,
}: PipelineGraph): readonly Problem<string>[] {
  const problems: Problem<string>[] = [];
  const error = (path: string, message: string) =>
    problems.push({ code: "not-runnable", severity: "error", path, message });
  if (root?.tasks === undefined) error(root?.path ?? "/root", "the root is no DAG: there is nothing to run");
  for (const { spec, path } of tasks) {
    const limit = spec.iteratorPolicy?.parallelismLimit ?? 0;
    if (limit < 0)
      error(
        `${path}/iteratorPolicy/parallelismLimit`,
        `${limit} iterations at once are none: 0 is without a limit`,
      );
  }
  const names = components.flatMap(({ name }) => name ?? []);
  const labels = executors.map(({ label }) => label);
  for (const { spec, component, path } of tasks) {
    if (component !== undefined) continue;
    const name = spec.componentRef?.name ?? "";
    error(`${path}/componentRef/name`, `there is no component ${quoted(name, names)}`);
  }
  for (const { spec, path, uses, tasks: own, executor } of components) {
    if (uses.length === 0 || own !== undefined || executor?.spec.spec !== undefined) continue;
    const label = spec.implementation?.$case === "executorLabel" ? spec.implementation.value : "";
    const known =
      executor === undefined ? `there is no executor ${quoted(label, labels)}` : "its executor is empty";
    error(`${path}/executorLabel`, known);
  }
  for (const cycle of findCycles(tasks, ({ dependencies }) => dependencies)) {
    const [first] = cycle;
    const ring = [...cycle.map(({ from }) => from.name), first?.from.name].join(" → ");
    error(first?.at ?? "", `tasks wait for each other: ${ring}`);
  }
  return problems;
}

function quoted(name: string, known: readonly string[]): string {
  const near = didYouMean(name, known);
  return `${JSON.stringify(name)}${near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`}`;
}
