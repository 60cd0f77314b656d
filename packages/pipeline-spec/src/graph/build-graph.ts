import { checkArguments, checkPipeline } from "../check-arguments.js";
import type {
  ComponentSpec,
  ExecutorSpec,
  PipelineSpec,
  PipelineTaskSpec,
  PlatformSpec,
} from "../gen/ml_pipelines/pipeline_spec.js";
import { pathFromPointer, pointer } from "../json-pointer.js";
import type { Pipeline } from "../pipeline.js";
import { dependenciesOf } from "./dependencies.js";
import {
  type ExecutorSettings,
  executorSettings,
  type SettingValue,
  settingValues,
} from "./executor-settings.js";
import { outputSelectors } from "./output-selectors.js";
import type {
  ComponentNode,
  Dependency,
  ExecutorNode,
  OutputSelector,
  PipelineGraph,
  PlatformInput,
  TaskInput,
  TaskNode,
  ValueKind,
} from "./pipeline-graph.js";
import { parameterSource, taskInputs } from "./task-inputs.js";

/**
 * The graph of a pipeline, valid or not. Takes time linear in the pipeline; what belongs to a task is looked up when it is
 * first asked for. Changes of the specification afterwards are not seen.
 */
export function buildGraph(pipeline: Pick<Pipeline, "spec" | "deployment" | "platform">): PipelineGraph {
  checkPipeline("buildGraph", pipeline);
  const { spec, deployment, platform } = pipeline;
  checkArguments("buildGraph", "object", { "pipeline.deployment": deployment });
  const most = mostSettings(spec);
  const executors = new Map<string, Executor>();
  for (const [label, executor] of Object.entries(deployment.executors)) {
    executors.set(label, new Executor(label, executor, platform, most));
  }
  const named = new Map<string, Component>();
  for (const [name, component] of Object.entries(spec.components)) {
    named.set(name, new Component(name, pointer("/components", name), component, executors));
  }
  const root = spec.root && new Component(undefined, "/root", spec.root, executors);
  const components = root === undefined ? [...named.values()] : [root, ...named.values()];
  const tasks: TaskNode[] = [];
  for (const one of components) for (const task of one.addTasks(named)) tasks.push(task);
  const computed = new Map<unknown, unknown>();
  const graph: PipelineGraph = {
    ...{ spec, deployment, platform, root, components, tasks },
    executors: [...executors.values()],
    component: (name) => named.get(name),
    executor: (label) => executors.get(label),
    task: (path) => taskAt(path, root, named),
    once: <T>(compute: (graph: PipelineGraph) => T): T => {
      if (!computed.has(compute)) computed.set(compute, compute(graph));
      // The map holds under each function what that function gave.
      return computed.get(compute) as T;
    },
  };
  return graph;
}

/** Found by name: in a map of all paths the name of a component would cost its length once for each of its tasks. */
function taskAt(
  path: string,
  root: Component | undefined,
  named: ReadonlyMap<string, Component>,
): TaskNode | undefined {
  const names = path.startsWith("/") ? pathFromPointer(path) : [];
  const parent = names[0] === "root" ? root : named.get(names[1] ?? "");
  const task = parent?.tasks?.get(names.at(-1) ?? "");
  // Other paths may have the same names in them.
  return task?.path === path ? task : undefined;
}

/** How many settings may be looked at for all tasks together: no pipeline comes near, but a small file could ask for more. */
const mostPlatformInputs = 1_000_000;

/** How many settings of its executor each task is to see. */
function mostSettings({ root, components }: PipelineSpec): number {
  const all = root === undefined ? Object.values(components) : [root, ...Object.values(components)];
  const tasks = all.reduce(
    (sum, { implementation: of }) => sum + (of?.$case === "dag" ? Object.keys(of.value.tasks).length : 0),
    0,
  );
  return Math.max(1, Math.floor(mostPlatformInputs / Math.max(1, tasks)));
}

class Executor implements ExecutorNode {
  readonly label: string;
  readonly path: string;
  readonly spec: ExecutorSpec;
  readonly components: Component[] = [];
  readonly #platform: PlatformSpec | undefined;
  readonly #most: number;
  #settings: { readonly found: ExecutorSettings | undefined } | undefined;
  #values: readonly SettingValue[] | undefined;
  #unseen = 0;

  constructor(label: string, spec: ExecutorSpec, platform: PlatformSpec | undefined, most: number) {
    this.#most = most;
    this.#platform = platform;
    this.label = label;
    this.path = pointer("/deploymentSpec/executors", label);
    this.spec = spec;
  }

  get settings(): ExecutorSettings | undefined {
    this.#settings ??= { found: executorSettings(this.#platform, this.label) };
    return this.#settings.found;
  }

  /** What the settings take from the pipeline, as far as tasks may see it. */
  get settingValues(): readonly SettingValue[] {
    if (this.#values === undefined) {
      const all = this.settings === undefined ? [] : settingValues(this.settings);
      this.#values = all.slice(0, this.#most);
      this.#unseen = all.length - this.#values.length;
    }
    return this.#values;
  }

  get unseenSettings(): number {
    return this.settingValues.length < this.#most ? 0 : this.#unseen;
  }
}

class Component implements ComponentNode {
  readonly name: string | undefined;
  readonly path: string;
  readonly spec: ComponentSpec;
  readonly executor: Executor | undefined;
  readonly uses: TaskNode[] = [];
  tasks: ReadonlyMap<string, TaskNode> | undefined;
  #selectors: readonly OutputSelector[] | undefined;
  #byOutput: ReadonlyMap<string, readonly OutputSelector[]> | undefined;
  #dependents: ReadonlyMap<TaskNode, readonly Dependency[]> | undefined;
  readonly #platformInputs = new Map<Executor, readonly PlatformInput[]>();

  constructor(
    name: string | undefined,
    path: string,
    spec: ComponentSpec,
    executors: ReadonlyMap<string, Executor>,
  ) {
    this.name = name;
    this.path = path;
    this.spec = spec;
    const { implementation } = spec;
    const executor =
      implementation?.$case === "executorLabel" ? executors.get(implementation.value) : undefined;
    executor?.components.push(this);
    this.executor = executor;
  }

  get selectors(): readonly OutputSelector[] {
    this.#selectors ??= outputSelectors(this);
    return this.#selectors;
  }

  selectorsOf(kind: ValueKind, output: string): readonly OutputSelector[] {
    this.#byOutput ??= groupBy(this.selectors, (one) => `${one.kind} ${one.output}`);
    return this.#byOutput.get(`${kind} ${output}`) ?? [];
  }

  /** What the settings of an executor take, seen from any task of its DAG. */
  platformInputs(executor: Executor): readonly PlatformInput[] {
    const known = this.#platformInputs.get(executor);
    if (known !== undefined) return known;
    const inputs = executor.settingValues.map(({ at, spec }) => ({
      at,
      source: parameterSource(spec, { at }, this),
    }));
    this.#platformInputs.set(executor, inputs);
    return inputs;
  }

  /** Gives it the tasks of its DAG. */
  addTasks(components: ReadonlyMap<string, Component>): readonly TaskNode[] {
    const { implementation } = this.spec;
    if (implementation?.$case !== "dag") return [];
    const base = `${this.path}/dag/tasks`;
    const tasks = Object.entries(implementation.value.tasks).map(([name, spec]) => {
      const component = components.get(spec.componentRef?.name ?? "");
      const task = new Task(name, pointer(base, name), spec, this, component);
      component?.uses.push(task);
      return task;
    });
    this.tasks = new Map(tasks.map((task) => [task.name, task]));
    return tasks;
  }

  /** The dependencies of all tasks of the DAG, by what they wait for. */
  get dependents(): ReadonlyMap<TaskNode, readonly Dependency[]> {
    if (this.#dependents === undefined) {
      const all = [...(this.tasks?.values() ?? [])].flatMap(({ dependencies }) => dependencies);
      this.#dependents = groupBy(all, ({ to }) => to);
    }
    return this.#dependents;
  }
}

/** So many inputs are looked through faster than in a map, which takes more memory than they do. */
const fewInputs = 8;

class Task implements TaskNode {
  readonly name: string;
  readonly path: string;
  readonly spec: PipelineTaskSpec;
  readonly parent: Component;
  readonly component: Component | undefined;
  #inputs: readonly TaskInput[] | undefined;
  #byName: ReadonlyMap<string, TaskInput> | undefined;
  #dependencies: readonly Dependency[] | undefined;

  constructor(
    name: string,
    path: string,
    spec: PipelineTaskSpec,
    parent: Component,
    component: Component | undefined,
  ) {
    this.name = name;
    this.path = path;
    this.spec = spec;
    this.parent = parent;
    this.component = component;
  }

  get inputs(): readonly TaskInput[] {
    this.#inputs ??= taskInputs(this);
    return this.#inputs;
  }

  input<K extends ValueKind>(kind: K, name: string): Extract<TaskInput, { readonly kind: K }> | undefined {
    // The kind was asked for.
    return this.#input(kind, name) as Extract<TaskInput, { readonly kind: K }> | undefined;
  }

  #input(kind: ValueKind, name: string): TaskInput | undefined {
    const { inputs } = this;
    if (inputs.length <= fewInputs) return inputs.find((one) => one.name === name && one.kind === kind);
    this.#byName ??= new Map(inputs.map((input) => [`${input.kind} ${input.name}`, input]));
    return this.#byName.get(`${kind} ${name}`);
  }

  get platformInputs(): readonly PlatformInput[] {
    const executor = this.component?.executor;
    return executor === undefined ? [] : this.parent.platformInputs(executor);
  }

  get dependencies(): readonly Dependency[] {
    this.#dependencies ??= dependenciesOf(this);
    return this.#dependencies;
  }

  get dependents(): readonly Dependency[] {
    return this.parent.dependents.get(this) ?? [];
  }
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
