import { type InputSource, inputParameter, type PipelineGraph, type TaskNode } from "@wye/pipeline-spec";
import { runnerOf } from "./task-siblings.js";

/** What tasks do with volume claims, by the claim. */
export interface ClaimTasks {
  /** The tasks that make a claim under a name that others can give as well. */
  readonly makers: ReadonlyMap<string, readonly TaskNode[]>;
  /** The tasks that mount it, each once. */
  readonly users: ReadonlyMap<string, ReadonlySet<TaskNode>>;
  /** The tasks that delete it. */
  readonly deleters: ReadonlyMap<TaskNode, string>;
}

/** The tasks that make, mount and delete claims. */
export function claimTasksOf({ tasks }: PipelineGraph): ClaimTasks {
  const makers = new Map<string, TaskNode[]>();
  const users = new Map<string, Set<TaskNode>>();
  const deleters = new Map<TaskNode, string>();
  for (const task of tasks) {
    const image = imageOf(task);
    if (image === "argostub/createpvc" || image === "argostub/deletepvc") {
      const claim = claimOf(task, task.input("parameter", "pvc_name")?.source);
      if (claim === undefined) continue;
      if (image === "argostub/deletepvc") deleters.set(task, claim);
      else if (!makers.get(claim)?.push(task)) makers.set(claim, [task]);
    }
    for (const { at, source } of task.platformInputs) {
      const claim = at.includes("/pvcMount/") ? claimOf(task, mounted(task, source)) : undefined;
      if (claim !== undefined) users.set(claim, (users.get(claim) ?? new Set()).add(task));
    }
  }
  return { makers, users, deleters };
}

function imageOf({ component }: TaskNode): string | undefined {
  const executor = component?.executor?.spec.spec;
  return executor?.$case === "container" ? executor.value.image : undefined;
}

/** Settings name inputs of the DAG around the task, or else those of the task itself. */
function mounted(task: TaskNode, source: InputSource | undefined): InputSource | undefined {
  if (source?.kind !== "input" || inputParameter(task.parent, source.name) !== undefined) return source;
  return task.input("parameter", source.name)?.source ?? source;
}

/** DAGs inside of each other through which a name is followed. */
const mostLevels = 30;

/** What names a claim: the same text for the same claim, as far as the pipeline shows. */
function claimOf({ parent }: TaskNode, given: InputSource | undefined): string | undefined {
  let [dag, source] = [parent, given];
  for (let level = 0; source?.kind === "input" && level < mostLevels; level++) {
    const runner = runnerOf(dag);
    const input = runner?.input("parameter", source.name);
    if (runner === undefined || input?.source === undefined) break;
    if (input.spec.parameterExpressionSelector !== "") break;
    [dag, source] = [runner.parent, input.source];
  }
  switch (source?.kind) {
    case "output":
      return JSON.stringify([dag.path, source.producer, source.key]);
    case "input":
      return JSON.stringify([dag.path, source.name]);
    case "constant": {
      // What is filled in differs from DAG to DAG.
      const isFilledIn = typeof source.value === "string" && source.value.includes("{{");
      return JSON.stringify([isFilledIn ? dag.path : "", { constant: source.value }]);
    }
    default:
      return undefined;
  }
}
