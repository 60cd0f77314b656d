import { type ComponentSpec, type DagSpec, pointer, type RetryPolicy, writeJson } from "@wye/pipeline-spec";
import { type Compilation, rootName } from "./compilation.js";
import { compileDag, type OpenDag } from "./compile-dag.js";
import { orderedTasks } from "./complete-tasks.js";
import { checkKubernetesSettings } from "./kubernetes-settings.js";

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
  const enter = (name: string, spec: ComponentSpec, path: string, retryPolicy: RetryPolicy | undefined) => {
    if (seen.has(name)) return;
    seen.add(name);
    const dag = visitComponent(name, spec, path, compilation);
    if (dag !== undefined)
      stack.push({ name, path, dag, tasks: orderedTasks(dag, path, retryPolicy), next: 0 });
  };
  enter(rootName, root, "/root", undefined);
  for (let visit = stack.at(-1); visit !== undefined; visit = stack.at(-1)) {
    const task = visit.tasks[visit.next++];
    if (task === undefined) {
      stack.pop();
      compileDag(visit, compilation);
      continue;
    }
    const name = task.spec.componentRef?.name ?? "";
    const component = compilation.component(name);
    if (component === undefined) refuseReference(task, visit.name, compilation);
    else enter(name, component, pointer("/components", name), task.spec.retryPolicy);
  }
}

function refuseReference(
  { name, path, spec }: OpenDag["tasks"][number],
  dag: string,
  { problems }: Compilation,
): void {
  const component = spec.componentRef?.name ?? "";
  const context = `error processing component name=${JSON.stringify(dag)}: `;
  if (component === "") {
    problems.add({
      code: "no-component",
      path,
      part: "key",
      message: `the task ${JSON.stringify(name)} names no component`,
      backEnd: `${context}component ref name is empty for task name=${JSON.stringify(spec.taskInfo?.name ?? "")}`,
    });
  } else {
    problems.add({
      code: "unknown-component",
      path: `${path}/componentRef/name`,
      message: `there is no component ${JSON.stringify(component)}`,
      backEnd: `${context}cannot find component ref name=${JSON.stringify(component)}`,
    });
  }
}

/** Saves a component that is run by an executor; gives the DAG of one that is not. */
function visitComponent(
  name: string,
  spec: ComponentSpec,
  path: string,
  compilation: Compilation,
): DagSpec | undefined {
  const { implementation } = spec;
  if (implementation?.$case === "dag") return implementation.value;
  const label = implementation?.value ?? "";
  if (label === "") refuseComponent(name, path, compilation);
  else visitExecutor({ name, spec, path, label }, compilation);
  return undefined;
}

function refuseComponent(name: string, path: string, { problems, refusedComponents }: Compilation): void {
  refusedComponents.add(name);
  problems.add({
    code: "no-implementation",
    path,
    part: "key",
    message: `the component ${JSON.stringify(name)} has neither an executor nor a DAG`,
    backEnd: `error processing component name=${JSON.stringify(name)}: unknown component implementation:`,
  });
}

interface ExecutorVisit {
  readonly name: string;
  readonly spec: ComponentSpec;
  readonly path: string;
  readonly label: string;
}

function visitExecutor({ name, spec, path, label }: ExecutorVisit, compilation: Compilation): void {
  const executor = compilation.executor(label);
  const refuse = (
    code: "unknown-executor" | "unsupported-executor",
    at: string,
    message: string,
    says: string,
  ) => {
    const backEnd = `error processing component name=${JSON.stringify(name)}: executor(label=${JSON.stringify(label)})${says}`;
    compilation.refusedComponents.add(name);
    compilation.problems.add({ code, path: at, message, backEnd });
  };
  if (executor === undefined) {
    const message = `there is no executor ${JSON.stringify(label)}`;
    refuse("unknown-executor", `${path}/executorLabel`, message, " not found in deployment config");
    return;
  }
  checkKubernetesSettings(name, label, compilation);
  const key = compilation.keyOf(name);
  const { spec: run } = executor;
  if (run?.$case === "container") {
    compilation.save(`components-${key}`, () => writeJson("ComponentSpec", spec));
    compilation.save(`implementations-${key}`, () => writeJson("PipelineContainerSpec", run.value));
  } else if (run?.$case === "importer") {
    compilation.save(`components-${key}`, () => writeJson("ComponentSpec", spec));
    compilation.save(`implementations-${key}`, () => writeJson("ImporterSpec", run.value));
  } else {
    const at = pointer("/deploymentSpec/executors", label);
    const message = `the executor ${JSON.stringify(label)} is neither a container nor an importer`;
    refuse("unsupported-executor", at, message, ": non-container and non-importer executor not implemented");
  }
}
