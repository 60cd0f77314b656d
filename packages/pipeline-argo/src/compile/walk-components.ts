import { type ComponentSpec, pointer, type RetryPolicy, writeJson } from "@wye/pipeline-spec";
import { quote } from "../problems/quote.js";
import { messageText } from "../text/json-text.js";
import { type Compilation, rootName } from "./compilation.js";
import { compileDag, type OpenDag } from "./compile-dag.js";
import { orderedTasks } from "./complete-tasks.js";
import type { ComponentRecord } from "./component-record.js";
import { isVolumeImage } from "./dag-warnings.js";
import type { NamedTask } from "./placed-task.js";
import { visitExecutor } from "./visit-executor.js";

/** A DAG some of whose components are compiled. */
interface Visit extends OpenDag {
  next: number;
}

/** How the walk has first come to a component. */
interface FirstUse {
  readonly by: NamedTask | undefined;
  /** Whether containers inside take over the retry policy of `by`; known once what is inside has been seen. */
  handsDown: boolean;
}

/**
 * Compiles the components that the root leads to: what the tasks of a DAG run comes before the DAG, each once. A stack of our
 * own, because components may be nested deeper than calls.
 */
export function walkComponents(root: ComponentSpec, compilation: Compilation): void {
  const seen = new Map<string, FirstUse>();
  const stack: Visit[] = [];
  const enter = (component: ComponentRecord, path: string, by: NamedTask | undefined) => {
    const { name, spec } = component;
    const first = seen.get(name);
    if (first !== undefined) {
      warnOfRetries(name, first, by, compilation);
      return;
    }
    const { implementation } = spec;
    seen.set(name, { by, handsDown: false });
    if (implementation?.$case === "dag") {
      const dag = implementation.value;
      stack.push({
        name,
        path,
        spec,
        dag,
        tasks: orderedTasks(dag, path, by, compilation),
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
      const use = seen.get(visit.name);
      if (use !== undefined) use.handsDown = handsDown(visit, seen);
      compileDag(visit, compilation);
    } else if (task.component === undefined) refuseReference(task, visit.name, compilation);
    else enter(task.component, pointer("/components", task.component.name), task);
  }
}

/** Whether a container in a DAG, or in one that it runs, has no retry policy of its own. */
function handsDown({ dag, tasks }: Visit, seen: ReadonlyMap<string, FirstUse>): boolean {
  return tasks.some(({ name, component }) => {
    if (component === undefined || dag.tasks[name]?.retryPolicy !== undefined) return false;
    const executor = component.executor?.spec;
    const isTried = executor?.$case === "container" && !isVolumeImage(executor.value.image);
    return isTried || seen.get(component.name)?.handsDown === true;
  });
}

/** Tasks of a DAG without a policy take over that of the task through which the walk has first come to it, for every use of it. */
function warnOfRetries(
  name: string,
  { by: first, handsDown }: FirstUse,
  by: NamedTask | undefined,
  { problems }: Compilation,
): void {
  if (!handsDown || first === undefined || by === undefined) return;
  const [held, wanted] = [first.spec.retryPolicy, by.spec.retryPolicy];
  if (held === wanted || policyText(held) === policyText(wanted)) return;
  const holds = held === undefined ? "no retry policy, like" : "the retry policy of";
  const message = `what is in ${quote(name)} has ${holds} the task ${quote(first.name)}, also where ${quote(by.name)} runs it`;
  problems.add({ code: "shared-retries", path: by.path, part: "key", message });
}

const policyText = (policy: RetryPolicy | undefined): string =>
  policy === undefined ? "" : messageText(writeJson("RetryPolicy", policy));

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
