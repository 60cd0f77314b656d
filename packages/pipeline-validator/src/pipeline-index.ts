import type {
  ComponentInputArtifactSpec,
  ComponentInputParameterSpec,
  ComponentOutputArtifactSpec,
  ComponentOutputParameterSpec,
  ComponentSpec,
  ExecutorSpec,
  Pipeline,
  PipelineDeploymentConfig,
  PipelineSpec,
  PipelineTaskSpec,
  PlatformSpec,
} from "@wye/pipeline-spec";
import { ownEntry } from "./own-entry.js";
import { pointer } from "./pointer.js";

/** A component, or the root. */
export interface ComponentNode {
  /** Key in `components`; undefined for the root. */
  readonly name: string | undefined;
  readonly path: string;
  readonly spec: ComponentSpec;
  /** Tasks of its DAG; undefined when it is not one. */
  readonly tasks: ReadonlyMap<string, TaskNode> | undefined;
  /** What runs it, when it is not a DAG and the label is known. */
  readonly executor: ExecutorNode | undefined;
  /** Tasks that run it. */
  readonly uses: readonly TaskNode[];
}

/** A task of a DAG. */
export interface TaskNode {
  readonly name: string;
  readonly path: string;
  readonly spec: PipelineTaskSpec;
  /** The component whose DAG it is in. */
  readonly parent: ComponentNode;
  /** What it runs, when that exists. */
  readonly component: ComponentNode | undefined;
}

/** An executor of the deployment. */
export interface ExecutorNode {
  readonly label: string;
  readonly path: string;
  readonly spec: ExecutorSpec;
  /** Components that name it. */
  readonly components: readonly ComponentNode[];
}

/** A specification as rules see it: every component, task and executor once, with what belongs to it at hand. */
export interface PipelineIndex {
  readonly spec: PipelineSpec;
  readonly deployment: PipelineDeploymentConfig;
  readonly platform: PlatformSpec | undefined;
  readonly root: ComponentNode | undefined;
  /** The root, if any, and all named components. */
  readonly components: readonly ComponentNode[];
  readonly tasks: readonly TaskNode[];
  readonly executors: readonly ExecutorNode[];
  component(name: string): ComponentNode | undefined;
  executor(label: string): ExecutorNode | undefined;
  /** What `compute` gives for this index, computed once: `key` is usually `compute` itself. */
  once<T>(compute: (index: PipelineIndex) => T): T;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type OpenComponent = Writable<ComponentNode> & { uses: TaskNode[] };
type OpenExecutor = ExecutorNode & { components: ComponentNode[] };

/** Walks through a specification once. */
export function indexPipeline(pipeline: Pick<Pipeline, "spec" | "deployment" | "platform">): PipelineIndex {
  const { spec, deployment, platform } = pipeline;
  const executors = new Map<string, OpenExecutor>();
  for (const label of Object.keys(deployment.executors)) {
    const executor = ownEntry(deployment.executors, label);
    if (executor === undefined) continue;
    const path = pointer("/deploymentSpec/executors", label);
    executors.set(label, { label, path, spec: executor, components: [] });
  }
  const named = new Map<string, OpenComponent>();
  for (const name of Object.keys(spec.components)) {
    const component = ownEntry(spec.components, name);
    if (component === undefined) continue;
    named.set(name, openComponent(name, pointer("/components", name), component, executors));
  }
  const root = spec.root && openComponent(undefined, "/root", spec.root, executors);
  const components = root === undefined ? [...named.values()] : [root, ...named.values()];
  const tasks: TaskNode[] = [];
  for (const component of components) addTasks(component, named, tasks);

  const computed = new Map<unknown, unknown>();
  const index: PipelineIndex = {
    ...{ spec, deployment, platform, root, components, tasks },
    executors: [...executors.values()],
    component: (name) => named.get(name),
    executor: (label) => executors.get(label),
    once: <T>(compute: (index: PipelineIndex) => T): T => {
      if (!computed.has(compute)) computed.set(compute, compute(index));
      // The map holds under each function what that function gave.
      return computed.get(compute) as T;
    },
  };
  return index;
}

function openComponent(
  name: string | undefined,
  path: string,
  spec: ComponentSpec,
  executors: ReadonlyMap<string, OpenExecutor>,
): OpenComponent {
  const { implementation } = spec;
  const executor =
    implementation?.$case === "executorLabel" ? executors.get(implementation.value) : undefined;
  const component: OpenComponent = { name, path, spec, executor, tasks: undefined, uses: [] };
  executor?.components.push(component);
  return component;
}

function addTasks(
  parent: OpenComponent,
  components: ReadonlyMap<string, OpenComponent>,
  all: TaskNode[],
): void {
  const { implementation } = parent.spec;
  if (implementation?.$case !== "dag") return;
  const tasks = new Map<string, TaskNode>();
  for (const name of Object.keys(implementation.value.tasks)) {
    const spec = ownEntry(implementation.value.tasks, name);
    if (spec === undefined) continue;
    const component = components.get(spec.componentRef?.name ?? "");
    const task = { name, path: pointer(`${parent.path}/dag/tasks`, name), spec, parent, component };
    tasks.set(name, task);
    component?.uses.push(task);
    all.push(task);
  }
  parent.tasks = tasks;
}

/** The declaration of an input parameter. */
export function inputParameter(
  component: ComponentNode,
  name: string,
): ComponentInputParameterSpec | undefined {
  return ownEntry(component.spec.inputDefinitions?.parameters, name);
}

/** The declaration of an input artifact. */
export function inputArtifact(
  component: ComponentNode,
  name: string,
): ComponentInputArtifactSpec | undefined {
  return ownEntry(component.spec.inputDefinitions?.artifacts, name);
}

/** The declaration of an output parameter. */
export function outputParameter(
  component: ComponentNode,
  name: string,
): ComponentOutputParameterSpec | undefined {
  return ownEntry(component.spec.outputDefinitions?.parameters, name);
}

/** The declaration of an output artifact. */
export function outputArtifact(
  component: ComponentNode,
  name: string,
): ComponentOutputArtifactSpec | undefined {
  return ownEntry(component.spec.outputDefinitions?.artifacts, name);
}

/** How a message speaks of a component. */
export function describeComponent(component: ComponentNode): string {
  return component.name === undefined ? "the root" : `component ${JSON.stringify(component.name)}`;
}
