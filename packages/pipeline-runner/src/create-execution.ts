import type { TaskInputs } from "@wye/pipeline-resolver";
import type { ComponentNode } from "@wye/pipeline-spec";
import type { Execution } from "./execution.js";
import { iterationId, taskId } from "./execution-id.js";
import type { TaskKind } from "./run-task.js";
import type { TaskPlan } from "./task-plan.js";

/** The run itself. */
export function createRoot(component: ComponentNode, inputs: TaskInputs): Execution {
  const view = { id: "", name: "", displayName: "", path: component.path, parent: "", inputs };
  return create({
    view: { ...view, kind: kindOf(component) },
    plan: undefined,
    parent: undefined,
    component,
  });
}

/** A task of a DAG that starts. */
export function createTask(plan: TaskPlan, parent: Execution): Execution {
  const { node, component, displayName } = plan;
  const { name, path, spec } = node;
  const view = {
    id: taskId(parent.view.id, name),
    name,
    displayName,
    kind: spec.iterator ? ("loop" as const) : kindOf(component),
    path,
    parent: parent.view.id,
  };
  const task = create({ view, plan, parent, component });
  return { ...task, retry: spec.retryPolicy ?? parent.retry, waiting: plan.upstream.length };
}

/** An iteration of a loop that starts. */
export function createIteration(plan: TaskPlan, loop: Execution, index: number): Execution {
  const { id, name, displayName, path } = loop.view;
  const { component } = plan;
  const view = { id: iterationId(id, index), name, displayName, path, parent: id, iteration: index };
  return create({ view: { ...view, kind: kindOf(component) }, plan, parent: loop, component });
}

/** A task that nothing has happened to. */
function create({
  view,
  ...rest
}: Pick<Execution, "plan" | "parent" | "component"> & {
  readonly view: Omit<Execution["view"], "state" | "attempts" | "reason">;
}): Execution {
  return {
    ...rest,
    view: { ...view, state: "PENDING", attempts: 0, reason: "" },
    depth: rest.parent === undefined ? 0 : rest.parent.depth + 1,
    retry: rest.parent?.retry,
    waiting: 0,
    failures: 0,
    notBefore: 0,
    ready: undefined,
    dag: undefined,
    loop: undefined,
  };
}

const kinds = {
  container: "container",
  importer: "importer",
  resolver: "resolver",
  customJob: "custom-job",
} as const;

function kindOf({ tasks, executor }: ComponentNode): TaskKind {
  const work = executor?.spec.spec?.$case;
  return tasks !== undefined || work === undefined ? "dag" : kinds[work];
}
