import { inputParameter, isExitTask, pointer, type TaskNode } from "@wye/pipeline-spec";
import { kindOf } from "../parameter-kind.js";
import { suppliedParameters } from "../parameter-source.js";
import { declarations } from "../parameter-values.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp, underSpec } from "../rule.js";

/** The inputs of a task that receive the final status of another. */
const statusInputs = ({ inputs }: TaskNode) =>
  inputs.flatMap(({ name, source }) => (source?.kind === "status" ? [{ name, source }] : []));

const exitExample = (change: string) => `
root:
  dag:
    tasks:
      train:
        dependentTasks: [branch]
        triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}
        inputs: {artifacts: null, parameters: {label: null, status: {taskFinalStatus: {producerTask: branch}}}}
components:
  comp-train:
    inputDefinitions: {artifacts: null, parameters: {label: null, status: {parameterType: TASK_FINAL_STATUS}}}
deploymentSpec: {executors: {exec-train: {container: {args: ['{{$}}']}}}}
schemaVersion: 2.1.0
${change}`;

const patched = (before: string, after: string) => exitExample("").replace(before, after);

const statusStrategy: Rule = {
  id: "final-status-strategy",
  summary: "A task that receives a final status runs whatever that status is.",
  reason: "With any other strategy the task runs after success only, and the status says nothing.",
  severity: always("error"),
  examples: {
    wrong: patched("triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}", "triggerPolicy: null"),
    right: exitExample(""),
  },
  *check({ tasks }) {
    for (const task of tasks) {
      const [status] = statusInputs(task);
      if (status === undefined || isExitTask(task)) continue;
      const message = `task ${quote(task.name)} receives a final status, but runs only after success`;
      const hint = "add triggerPolicy.strategy: ALL_UPSTREAM_TASKS_COMPLETED";
      yield {
        at: `${task.path}/triggerPolicy/strategy`,
        part: "key",
        message,
        hint,
        related: [{ at: status.source.at, part: "key", message: "received here" }],
        sought: [`${task.path}/triggerPolicy/strategy`],
      };
    }
  },
};

const statusDependency: Rule = {
  id: "final-status-dependency",
  summary: "A task that receives a final status depends on that one task only.",
  reason:
    "The back end takes the status of the first dependency, whatever the input says, and fails without one.",
  severity: underKfp("error"),
  examples: {
    wrong: patched("dependentTasks: [branch]", "dependentTasks: [branch, prepare]"),
    right: exitExample(""),
  },
  *check({ tasks }) {
    for (const task of tasks) {
      const listed = new Set(task.spec.dependentTasks);
      for (const { source } of statusInputs(task)) {
        const { producer } = source;
        // A producer that does not exist is reported as such.
        if (producer === task.name || !task.parent.tasks?.has(producer)) continue;
        if (!listed.has(producer)) {
          const message = `task ${quote(task.name)} does not list ${quote(producer)} in dependentTasks`;
          const sought = [`${task.path}/dependentTasks/*`];
          yield { at: source.producerAt, message, hint: `add ${quote(producer)} to dependentTasks`, sought };
        } else if (listed.size > 1) {
          const message = `task ${quote(task.name)} depends on other tasks than ${quote(producer)}, whose status it receives`;
          yield { at: `${task.path}/dependentTasks`, message, hint: `keep ${quote(producer)} only` };
        }
      }
    }
  },
};

const statusType: Rule = {
  id: "final-status-type",
  summary: "The input that receives a final status is declared TASK_FINAL_STATUS.",
  reason: "The status is an object; no other type can hold it.",
  severity: always("error"),
  examples: {
    wrong: patched("status: {parameterType: TASK_FINAL_STATUS}", "status: {parameterType: STRING}"),
    right: exitExample(""),
  },
  *check({ tasks }, profile) {
    for (const task of tasks) {
      for (const { name, source } of statusInputs(task)) {
        const kind = kindOf(task.component && inputParameter(task.component, name));
        if (task.component === undefined || kind === undefined || kind === "TASK_FINAL_STATUS") continue;
        if (profile === "kfp" && kind === "STRUCT") continue;
        const declared = pointer(`${task.component.path}/inputDefinitions/parameters`, name);
        const message = `the input ${quote(name)} receives a final status, but is of type ${kind}`;
        const related = [{ at: declared, part: "key", message: "declared here" } as const];
        const hint = "declare it TASK_FINAL_STATUS";
        yield { at: source.at, part: "key", message, hint, related };
      }
    }
  },
};

const statusSource: Rule = {
  id: "final-status-source",
  summary: "An input declared TASK_FINAL_STATUS receives a final status and nothing else.",
  reason: "No other source has such a value.",
  severity: always("error"),
  examples: {
    wrong: patched(
      "status: {taskFinalStatus: {producerTask: branch}}",
      "status: {runtimeValue: {constant: {state: SUCCEEDED}}}",
    ),
    right: exitExample(""),
  },
  *check(index) {
    for (const input of index.once(suppliedParameters)) {
      const { task, name, spec } = input;
      if (task.component === undefined || spec.kind?.$case !== "runtimeValue") continue;
      if (kindOf(inputParameter(task.component, name)) !== "TASK_FINAL_STATUS") continue;
      const message = `the input ${quote(name)} takes the final status of a task only`;
      yield { at: `${input.at}/runtimeValue`, part: "key", message, hint: "use taskFinalStatus" };
    }
  },
};

const statusVersion: Rule = {
  id: "final-status-schema-version",
  summary: "Final statuses are used with schema version 2.0.0 only.",
  reason: "So says the document; real files carry 2.1.0, and the server refuses 2.0.0.",
  severity: underSpec("error"),
  examples: {
    wrong: exitExample(""),
    right: patched("schemaVersion: 2.1.0", "schemaVersion: 2.0.0"),
  },
  *check({ spec, tasks }) {
    if (spec.schemaVersion === "2.0.0") return;
    for (const task of tasks) {
      for (const { name, source } of statusInputs(task)) {
        const message = `the input ${quote(name)} receives a final status, which needs schema version 2.0.0`;
        yield { at: source.at, part: "key", message };
      }
    }
  },
};

/** Rules about final statuses. */
export const finalStatusRules: RuleFamily = {
  title: "Final status",
  appliesTo: (index) =>
    index.once(suppliedParameters).some(({ source }) => source?.kind === "status") ||
    index.once(declarations).some(({ kind }) => kind === "TASK_FINAL_STATUS"),
  rules: [statusStrategy, statusDependency, statusType, statusSource, statusVersion],
};
