// Random pipelines as small trees, their specification as JSON, and how their tasks behave. Everything follows from a seed.

/** Numbers from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Where the input of a task comes from. */
export type Source =
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "parent" }
  | { readonly kind: "sibling"; readonly name: string };

export interface ModelTask {
  readonly name: string;
  readonly source: Source;
  /** What the input is when the sibling has made nothing. */
  readonly fallback: number | undefined;
  readonly after: readonly string[];
  readonly isExit: boolean;
  /** Runs when its input is divisible by this. */
  readonly divisor: number | undefined;
  readonly retries: number;
  /** Asks how this sibling has ended. */
  readonly statusOf: string | undefined;
  /** What it runs for, each: numbers, or what the iterations of a loop before it have made. */
  readonly items: readonly number[] | { readonly of: string } | undefined;
  readonly parallel: number;
  /** What it runs: tasks of its own, or itself. */
  readonly dag: ModelDag | undefined;
}

export interface ModelDag {
  readonly tasks: readonly ModelTask[];
  /** The tasks whose output is its own: none, one, or the first of several. */
  readonly output: readonly string[];
}

/** How often a task fails before it succeeds, by its id. */
export function failuresOf(seed: number, id: string): number {
  const roll = randomOf(hash(id) ^ seed)();
  return roll < 0.8 ? 0 : roll < 0.93 ? 1 : 9;
}

/** What a task makes of its input. */
export function resultOf(id: string, input: number): number {
  return (hash(id) + input) % 12;
}

function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (value * 31 + character.charCodeAt(0)) % 99_991;
  return value;
}

export function randomDag(random: () => number, depth = 0): ModelDag {
  const below = (bound: number) => Math.floor(random() * bound);
  const names = Array.from({ length: 1 + below(5) }, (_, i) => `t${depth}-${i}`);
  const tasks: ModelTask[] = [];
  for (const [i, name] of names.entries()) {
    const earlier = tasks.filter(({ items }) => items === undefined).map((task) => task.name);
    const pick = earlier[below(earlier.length)];
    const any = tasks[below(i)]?.name;
    const isExit = random() < 0.2;
    const shape = depth > 2 ? 0 : random();
    const loops = tasks.filter(({ items, dag }) => items !== undefined && inner(dag));
    const loop = loops[below(loops.length)]?.name;
    const items =
      loop !== undefined && random() < 0.5 ? { of: loop } : Array.from({ length: below(4) }, () => below(10));
    tasks.push({
      name,
      source:
        pick !== undefined && random() < 0.6
          ? { kind: "sibling", name: pick }
          : random() < 0.5
            ? { kind: "parent" }
            : { kind: "constant", value: below(10) },
      fallback: random() < 0.7 ? below(10) : undefined,
      after: any !== undefined && random() < 0.5 ? [any] : [],
      isExit,
      divisor: random() < 0.3 ? 2 + below(2) : undefined,
      retries: below(3),
      statusOf: any !== undefined && isExit && random() < 0.6 ? any : undefined,
      items: shape > 0.8 ? items : undefined,
      parallel: below(3),
      dag: shape > 0.65 && shape < 0.95 ? randomDag(random, depth + 1) : undefined,
    });
  }
  const givers = tasks.filter(({ items }) => items === undefined).map(({ name }) => name);
  const output = givers.filter(() => random() < 0.4).slice(0, 2);
  return { tasks, output };
}

interface Spec {
  readonly components: Record<string, unknown>;
  readonly executors: Record<string, unknown>;
}

/** The specification of such a pipeline, as the JSON of a file. */
export function specOf(dag: ModelDag): unknown {
  const spec: Spec = { components: {}, executors: {} };
  return {
    pipelineInfo: { name: "random" },
    schemaVersion: "2.1.0",
    sdkVersion: "kfp-2.0.0",
    root: component(dag, "root", spec, undefined),
    components: spec.components,
    deploymentSpec: { executors: spec.executors },
  };
}

const number = { parameterType: "NUMBER_INTEGER" };
const inner = (dag: ModelDag | undefined) => dag === undefined || dag.output.length > 0;

function component(
  dag: ModelDag | undefined,
  path: string,
  spec: Spec,
  task: ModelTask | undefined,
): unknown {
  const input =
    task?.fallback === undefined ? number : { ...number, isOptional: true, defaultValue: task.fallback };
  const parameters = {
    x: input,
    ...(task?.statusOf ? { status: { parameterType: "TASK_FINAL_STATUS" } } : {}),
    ...(task?.items ? { item: number } : {}),
    ...(task?.items && "of" in task.items ? { list: { parameterType: "LIST" } } : {}),
  };
  const type = task?.items ? { parameterType: "LIST" } : number;
  const outputs = inner(dag) ? { outputDefinitions: { parameters: { y: type } } } : {};
  const base = { inputDefinitions: { parameters }, ...outputs };
  if (dag === undefined) {
    spec.executors[`exec-${path}`] = { container: { image: "alpine", command: ["true"] } };
    return { ...base, executorLabel: `exec-${path}` };
  }
  const tasks = dag.tasks.map((one) => {
    const name = `comp-${path}-${one.name}`;
    spec.components[name] = component(one.dag, `${path}-${one.name}`, spec, one);
    return [one.name, taskOf(one, name, task?.items !== undefined)];
  });
  return { ...base, dag: { tasks: Object.fromEntries(tasks), ...dagOutputs(dag) } };
}

function dagOutputs({ output }: ModelDag) {
  const selectors = output.map((producerSubtask) => ({ producerSubtask, outputParameterKey: "y" }));
  if (selectors.length === 0) return {};
  const y =
    selectors.length === 1
      ? { valueFromParameter: selectors[0] }
      : { valueFromOneof: { parameterSelectors: selectors } };
  return { outputs: { parameters: { y } } };
}

function taskOf(task: ModelTask, componentName: string, isInLoop: boolean): unknown {
  const { source } = task;
  const x =
    source.kind === "constant"
      ? { runtimeValue: { constant: source.value } }
      : source.kind === "parent"
        ? { componentInputParameter: isInLoop ? "item" : "x" }
        : { taskOutputParameter: { producerTask: source.name, outputParameterKey: "y" } };
  const { items } = task;
  const isList = items !== undefined && "of" in items;
  const list = isList
    ? { list: { taskOutputParameter: { producerTask: items.of, outputParameterKey: "y" } } }
    : {};
  const status = task.statusOf ? { status: { taskFinalStatus: { producerTask: task.statusOf } } } : {};
  const condition =
    task.divisor === undefined
      ? {}
      : { condition: `int(inputs.parameter_values['x']) % ${task.divisor} == 0` };
  const strategy = task.isExit ? { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" } : {};
  return {
    taskInfo: { name: task.name },
    componentRef: { name: componentName },
    inputs: { parameters: { x, ...list, ...status } },
    dependentTasks: task.after,
    triggerPolicy: { ...condition, ...strategy },
    ...(task.retries > 0 ? { retryPolicy: { maxRetryCount: task.retries } } : {}),
    ...(items === undefined
      ? {}
      : {
          parameterIterator: {
            items: isList ? { inputParameter: "list" } : { raw: JSON.stringify(items) },
            itemInput: "item",
          },
          iteratorPolicy: { parallelismLimit: task.parallel },
        }),
  };
}
