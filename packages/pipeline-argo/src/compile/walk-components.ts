import { type ComponentSpec, pointer, type RetryPolicy } from "@wye/pipeline-spec";
import { quote } from "../problems/quote.js";
import { type Compilation, rootName } from "./compilation.js";
import { compileDag, type OpenDag } from "./compile-dag.js";
import { orderedTasks } from "./complete-tasks.js";
import type { ComponentRecord } from "./component-record.js";
import type { NamedTask } from "./placed-task.js";
import { visitExecutor } from "./visit-executor.js";

/** A DAG some of whose components are compiled. */
interface Visit extends OpenDag {
  next: number;
}

/**
 * Compiles the components that the root leads to: what the tasks of a DAG run comes before the DAG, each once. A stack of our
 * own, because components may be nested deeper than calls.
 */
export function walkComponents(root: ComponentSpec, compilation: Compilation): void {
  const seen = new Set<string>();
  const stack: Visit[] = [];
  const enter = (component: ComponentRecord, path: string, retryPolicy: RetryPolicy | undefined) => {
    const { name, spec } = component;
    if (seen.has(name)) return;
    seen.add(name);
    const { implementation } = spec;
    if (implementation?.$case === "dag") {
      const dag = implementation.value;
      stack.push({
        name,
        path,
        spec,
        dag,
        tasks: orderedTasks(dag, path, retryPolicy, compilation),
        next: 0,
      });
    } else if (component.label === "") refuseComponent(name, path, compilation);
    else visitExecutor(component, path, compilation);
  };
  warnOfExecutor(root, compilation);
  enter(compilation.recordOf(rootName, root), "/root", undefined);
  for (let visit = stack.at(-1); visit !== undefined; visit = stack.at(-1)) {
    const task = visit.tasks[visit.next++];
    if (task === undefined) {
      stack.pop();
      compileDag(visit, compilation);
    } else if (task.component === undefined) refuseReference(task, visit.name, compilation);
    else enter(task.component, pointer("/components", task.component.name), task.spec.retryPolicy);
  }
}

function warnOfExecutor({ implementation }: ComponentSpec, { problems }: Compilation): void {
  if (implementation?.$case !== "executorLabel") return;
  const message = "the root is no DAG: the workflow has no templates";
  problems.add({ code: "executor-root", path: "/root", part: "key", message });
}

function refuseReference({ name, path, spec }: NamedTask, dag: string, { problems }: Compilation): void {
  const component = spec.componentRef?.name ?? "";
  const context = `error processing component name=${JSON.stringify(dag)}: `;
  if (component === "") {
    problems.add({
      code: "no-component",
      path,
      part: "key",
      message: `the task ${quote(name)} names no component`,
      backEnd: `${context}component ref name is empty for task name=${JSON.stringify(spec.taskInfo?.name ?? "")}`,
    });
  } else {
    problems.add({
      code: "unknown-component",
      path: `${path}/componentRef/name`,
      message: `there is no component ${quote(component)}`,
      backEnd: `${context}cannot find component ref name=${JSON.stringify(component)}`,
    });
  }
}

function refuseComponent(name: string, path: string, { problems, refusedComponents }: Compilation): void {
  refusedComponents.add(name);
  problems.add({
    code: "no-implementation",
    path,
    part: "key",
    message: `the component ${quote(name)} has neither an executor nor a DAG`,
    backEnd: `error processing component name=${JSON.stringify(name)}: unknown component implementation:`,
  });
}
