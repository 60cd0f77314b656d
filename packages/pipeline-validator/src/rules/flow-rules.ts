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
      branch: {dependentTasks: [prepare, loop]}
      loop: {dependentTasks: [prepare], triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}}
`,
    right: `
root:
  dag:
    tasks:
      loop: {dependentTasks: [prepare], triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}}
`,
  },
  *check({ tasks }) {
    for (const task of tasks) {
      if (!isExitTask(task)) continue;
      for (const { from, at } of task.dependents) {
        // Of an exit task that follows another one Argo makes two hooks.
        if (isExitTask(from) || from === task) continue;
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
      for (const [position, name] of task.spec.dependentTasks.entries()) {
        const upstream = task.parent.tasks?.get(name);
        const lost = upstream && whyLost(task, upstream, index.once(keptExitTasks));
        if (lost === undefined) continue;
        const message = `the exit task ${quote(task.name)} never runs after ${quote(name)}, ${lost.why}`;
        yield { at: `${task.path}/dependentTasks/${position}`, message, hint: lost.hint };
      }
    }
  },
};

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
    for (const name of task.spec.dependentTasks) {
      const upstream = task.parent.tasks?.get(name);
      const before = upstream && kept.get(upstream);
      if (upstream && (before === undefined || before.name < task.name)) kept.set(upstream, task);
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
  rules: [exitUpstream, exitLost, importerUnordered],
};
