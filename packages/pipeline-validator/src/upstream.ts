import type { Edge } from "./find-cycles.js";
import { ownEntry } from "./own-entry.js";
import type { PipelineIndex, TaskNode } from "./pipeline-index.js";
import { pointer } from "./pointer.js";

/**
 * What each task waits for: the tasks it lists and the producers of its inputs, each with the place that says so. An
 * edge leads from a task to the task that it waits for.
 */
export function upstreamOf({ tasks }: PipelineIndex): ReadonlyMap<TaskNode, readonly Edge<TaskNode>[]> {
  return new Map(tasks.map((task) => [task, taskUpstream(task)]));
}

function taskUpstream(task: TaskNode): readonly Edge<TaskNode>[] {
  const edges: Edge<TaskNode>[] = [];
  const add = (name: string, at: string): void => {
    const to = task.parent.tasks?.get(name);
    if (to !== undefined) edges.push({ from: task, to, at });
  };
  for (const [position, name] of task.spec.dependentTasks.entries()) {
    add(name, `${task.path}/dependentTasks/${position}`);
  }
  const { parameters = {}, artifacts = {} } = task.spec.inputs ?? {};
  for (const name of Object.keys(parameters)) {
    const kind = ownEntry(parameters, name)?.kind;
    if (kind?.$case !== "taskOutputParameter" && kind?.$case !== "taskFinalStatus") continue;
    const at = `${pointer(`${task.path}/inputs/parameters`, name)}/${kind.$case}/producerTask`;
    add(kind.value.producerTask, at);
  }
  for (const name of Object.keys(artifacts)) {
    const kind = ownEntry(artifacts, name)?.kind;
    if (kind?.$case !== "taskOutputArtifact") continue;
    add(
      kind.value.producerTask,
      `${pointer(`${task.path}/inputs/artifacts`, name)}/taskOutputArtifact/producerTask`,
    );
  }
  return edges;
}
