import { type ComponentNode, isExitTask, type PipelineGraph, type TaskNode } from "@wye/pipeline-spec";
import { isPseudoImage } from "../containers.js";
import { quote } from "../quote.js";
import { type Rule, type RuleFamily, underKfp } from "../rule.js";

const exitUpstream: Rule = {
  id: "exit-task-upstream",
  summary: "No task depends on an exit task.",
  reason: "Exit tasks become hooks of the task that they follow, so that Argo refuses a dependency on them.",
  severity: underKfp("error"),
  examples: {
    wrong: `
root:
  dag:
    tasks:
      branch: {dependentTasks: [prepare, say]}
      say: {taskInfo: {name: say}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}, dependentTasks: [prepare], triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}}
`,
    right: `
root:
  dag:
    tasks:
      say: {taskInfo: {name: say}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}, dependentTasks: [prepare], triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}}
`,
  },
  *check({ tasks }) {
    for (const task of tasks) {
      if (!isExitTask(task)) continue;
      for (const { from, at } of task.dependents) {
        // Of an exit task that follows another one Argo makes two hooks.
        if (isExitTask(from)) continue;
        const message = `task ${quote(from.name)} depends on the exit task ${quote(task.name)}`;
        yield { at, message, hint: "depend on the task that it follows" };
      }
    }
  },
};

const exitAfter = (upstream: string) => `
root:
  dag:
    tasks:
      branch:
        dependentTasks: [${upstream}]
        inputs: null
        triggerPolicy: {condition: null, strategy: ALL_UPSTREAM_TASKS_COMPLETED}
components: {comp-branch: {inputDefinitions: {parameters: {label: {isOptional: true, defaultValue: none}}}}}
`;

/** The loop of the example, with this policy. */
const looped = (policy: string) =>
  `root: {dag: {tasks: {loop: {dependentTasks: [prepare], triggerPolicy: ${policy}}}}}`;

const exitLost: Rule = {
  id: "exit-task-lost",
  summary: "An exit task follows a container or a DAG, which has no other exit task.",
  reason:
    "Exit tasks become hooks. A task has one of them at most; loops, importers, volume tasks and exit tasks have none, and nobody is told.",
  severity: underKfp("warning"),
  examples: { wrong: exitAfter("loop"), right: exitAfter("prepare") },
  *check(index) {
    for (const task of index.tasks) {
      if (!isExitTask(task)) continue;
      for (const [upstream, at] of followed(task)) {
        const lost = whyLost(task, upstream, index.once(keptExitTasks));
        if (lost === undefined) continue;
        const message = `the exit task ${quote(task.name)} never runs after ${quote(upstream.name)}, ${lost.why}`;
        yield { at, message, hint: lost.hint };
      }
    }
  },
};

const exitRepeated: Rule = {
  id: "exit-task-repeated",
  summary: "An exit task follows one task.",
  reason:
    "The back end makes a hook of it for each of them, and runs it when the first has ended, and again after each other one.",
  severity: underKfp("warning"),
  examples: { wrong: exitAfter("prepare, train"), right: exitAfter("prepare") },
  *check(index) {
    for (const task of index.tasks) {
      // Whoever takes the status of a task follows that one only, by another rule.
      if (!isExitTask(task) || task.dependencies.some(({ kind }) => kind === "status")) continue;
      const hooked = [...followed(task)].filter(
        ([upstream]) => whyLost(task, upstream, index.once(keptExitTasks)) === undefined,
      );
      const [[first] = [], [, at] = []] = hooked;
      if (first === undefined || at === undefined) continue;
      const message = `the exit task ${quote(task.name)} runs ${hooked.length} times: first when ${quote(first.name)} has ended, whatever else still runs`;
      yield { at, message, hint: "let it follow one DAG in which these tasks are" };
    }
  },
};

const exitLoop: Rule = {
  id: "exit-task-loop",
  summary: "An exit task is no loop.",
  reason:
    "The task of a loop in a hook waits for a task outside of the hook, and Argo Workflows refuses the workflow.",
  severity: underKfp("error"),
  examples: {
    wrong: looped("{strategy: ALL_UPSTREAM_TASKS_COMPLETED}"),
    right: looped("{strategy: ALL_UPSTREAM_TASKS_SUCCEEDED}"),
  },
  *check({ tasks }) {
    for (const task of tasks) {
      const { iterator } = task.spec;
      // Without anything that it follows it is in no hook, and never runs.
      if (iterator === undefined || !isExitTask(task) || followed(task).size === 0) continue;
      const at = `${task.path}/${iterator.$case}`;
      const message = `the exit task ${quote(task.name)} is a loop, which cannot wait inside of a hook`;
      yield { at, part: "key", message, hint: "let it run a DAG in which the loop is" };
    }
  },
};

/** The tasks that a task waits for on the back end, each with the place that says so first. */
function followed({ dependencies }: TaskNode): ReadonlyMap<TaskNode, string> {
  const found = new Map<TaskNode, string>();
  for (const { kind, to, at } of dependencies) {
    if ((kind === "order" || kind === "data") && !found.has(to)) found.set(to, at);
  }
  return found;
}

interface Loss {
  readonly why: string;
  readonly hint: string;
}

function whyLost(
  exit: TaskNode,
  upstream: TaskNode,
  kept: ReadonlyMap<TaskNode, TaskNode>,
): Loss | undefined {
  const hint = "let it follow a DAG in which that task is";
  if (isExitTask(upstream)) return { why: "which is an exit task itself", hint: "do both in one exit task" };
  if (upstream.spec.iterator !== undefined) return { why: "which is a loop", hint };
  if (isImporter(upstream.component)) return { why: "which is an importer", hint };
  if (isVolumeTask(upstream.component)) return { why: "which makes or deletes a volume", hint };
  const other = kept.get(upstream);
  if (other === undefined || other === exit) return undefined;
  const why = `whose one exit task is ${quote(other.name)}`;
  return { why, hint: "do both in one exit task, which may be a DAG" };
}

/** The exit task that each task keeps: of several the last by name. */
function keptExitTasks({ tasks }: PipelineGraph): ReadonlyMap<TaskNode, TaskNode> {
  const kept = new Map<TaskNode, TaskNode>();
  for (const task of tasks) {
    if (!isExitTask(task)) continue;
    for (const upstream of followed(task).keys()) {
      const before = kept.get(upstream);
      if (before === undefined || before.name < task.name) kept.set(upstream, task);
    }
  }
  return kept;
}

const importerUnordered: Rule = {
  id: "importer-does-not-wait",
  summary: "An importer depends on no task.",
  reason: "The back end starts importers at once, whatever they depend on, and nobody is told.",
  severity: underKfp("warning"),
  examples: {
    wrong: `
root: {dag: {tasks: {prepare: {dependentTasks: [loop]}}}}
deploymentSpec:
  executors:
    exec-prepare:
      container: null
      importer: {artifactUri: {constant: "gs://bucket/data"}, typeSchema: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}
`,
    right: "root: {dag: {tasks: {branch: {dependentTasks: [prepare, loop]}}}}",
  },
  *check({ tasks }) {
    for (const task of tasks) {
      if (!isImporter(task.component) || isExitTask(task)) continue;
      for (const [position, name] of task.spec.dependentTasks.entries()) {
        if (!task.parent.tasks?.has(name)) continue;
        const message = `the importer ${quote(task.name)} does not wait for ${quote(name)}`;
        const hint = "let a task with a container read what has to wait";
        yield { at: `${task.path}/dependentTasks/${position}`, message, hint };
      }
    }
  },
};

function isImporter(component: ComponentNode | undefined): boolean {
  return component?.executor?.spec.spec?.$case === "importer";
}

function isVolumeTask(component: ComponentNode | undefined): boolean {
  const executor = component?.executor?.spec.spec;
  return executor?.$case === "container" && isPseudoImage(executor.value.image);
}

/** Rules about the order of tasks. */
export const flowRules: RuleFamily = {
  title: "Order of tasks",
  rules: [exitUpstream, exitLost, exitRepeated, exitLoop, importerUnordered],
};
