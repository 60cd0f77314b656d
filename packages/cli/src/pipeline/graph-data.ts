import { isExitTask, type PipelineGraph, reachableComponents, type TaskNode } from "@wye/pipeline-spec";

/**
 * The tasks that a run can come to, each once, and what they wait for. A component that is used twice is not there twice: `component` says which
 * one a task runs, and `parent` whose tasks it is among, so that a small file does not become a large answer.
 */
export function graphData(graph: PipelineGraph) {
  const reached = reachableComponents(graph);
  return {
    pipeline: graph.spec.pipelineInfo?.name ?? "",
    tasks: graph.tasks.filter(({ parent }) => reached.has(parent)).map(taskData),
  };
}

function taskData(task: TaskNode) {
  const { name, path, spec, parent, component } = task;
  return {
    path,
    name,
    label: spec.taskInfo?.name || name,
    parent: parent.name ?? null,
    component: spec.componentRef?.name || null,
    kind: component?.tasks === undefined ? (component?.executor?.spec.spec?.$case ?? null) : "dag",
    after: waitsFor(task),
    condition: spec.triggerPolicy?.condition || null,
    forEach: spec.iterator !== undefined,
    exit: isExitTask(task),
  };
}

/** Each task that it waits for, in the order of the file, with all reasons. */
function waitsFor({ dependencies }: TaskNode) {
  const kinds = new Map<TaskNode, Set<string>>();
  for (const { to, kind } of dependencies) kinds.set(to, (kinds.get(to) ?? new Set()).add(kind));
  return [...kinds].map(([{ name, path }, reasons]) => ({ task: name, path, because: [...reasons] }));
}
