import type { TaskInputs } from "@wye/pipeline-resolver";
import type { ComponentNode } from "@wye/pipeline-spec";
import type { Execution } from "./execution.js";
import { iterationId, taskId } from "./execution-id.js";
import type { TaskKind } from "./run-task.js";
import type { TaskPlan } from "./task-plan.js";

/** The run itself. */
export function createRoot(component: ComponentNode, inputs: TaskInputs): Execution {
  const { path } = component;
  const view = viewOf({ id: "", name: "", displayName: "", kind: kindOf(component), path, parent: "" });
  view.inputs = inputs;
  return create(view, { plan: undefined, parent: undefined, component, retry: undefined, waiting: 0 });
}

/** A task of a DAG that starts. */
export function createTask(plan: TaskPlan, parent: Execution): Execution {
  const { node, component, displayName, upstream } = plan;
  const { name, path, spec } = node;
  const { id } = parent.view;
  const kind = spec.iterator ? "loop" : kindOf(component);
  const view = viewOf({ id: taskId(id, name), name, displayName, kind, path, parent: id });
  const retry = spec.retryPolicy ?? parent.retry;
  return create(view, { plan, parent, component, retry, waiting: upstream.length });
}

/** An iteration of a loop that starts. */
export function createIteration(plan: TaskPlan, loop: Execution, index: number): Execution {
  const { component } = plan;
  const { id, name, displayName, path } = loop.view;
  const kind = kindOf(component);
  const view = viewOf({ id: iterationId(id, index), name, displayName, kind, path, parent: id });
  view.iteration = index;
  return create(view, { plan, parent: loop, component, retry: loop.retry, waiting: 0 });
}

type View = Execution["view"];

// There are very many of both: they are made in one piece, without copies.

/** What everybody may see of a task that nothing has happened to. */
function viewOf(place: Pick<View, "id" | "name" | "displayName" | "kind" | "path" | "parent">): View {
  const { id, name, displayName, kind, path, parent } = place;
  return { id, name, displayName, kind, path, parent, state: "PENDING", attempts: 0, reason: "" };
}

function create(
  view: View,
  around: Pick<Execution, "plan" | "parent" | "component" | "retry" | "waiting">,
): Execution {
  const { plan, parent, component, retry, waiting } = around;
  const depth = parent === undefined ? 0 : parent.depth + 1;
  return {
    view,
    plan,
    parent,
    component,
    depth,
    retry,
    waiting,
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

/** `checkRunnable` has seen that what is no DAG has something to run. */
function kindOf({ executor }: ComponentNode): TaskKind {
  const work = executor?.spec.spec?.$case;
  return work === undefined ? "dag" : kinds[work];
}
