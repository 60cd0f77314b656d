import {
  type ComponentNode,
  isExitTask,
  type OutputSelector,
  type PipelineGraph,
  pointer,
  type TaskNode,
} from "@wye/pipeline-spec";
import { type CommonCases, commonCases } from "../common-case.js";
import { type ConditionUse, conditionsByTask, conditionUses } from "../expression-uses.js";
import { quote } from "../quote.js";
import { type Rule, type RuleFamily, underKfp } from "../rule.js";

/** Conditional tasks that are compared with each other, of one task or output; further ones are left out. */
const maxCompared = 20;

/** The first two of some tasks that never run in the same run. */
function exclusivePair(
  tasks: ReadonlySet<TaskNode>,
  index: PipelineGraph,
): readonly [TaskNode, TaskNode] | undefined {
  const uses = conditionsOf(tasks, index);
  for (const [position, one] of uses.entries()) {
    for (const other of uses.slice(position + 1)) {
      const found = index.once(commonCases).find(one, other);
      if (found !== undefined && found.values === undefined) return [one.task, other.task];
    }
  }
  return undefined;
}

function conditionsOf(tasks: ReadonlySet<TaskNode>, index: PipelineGraph): readonly ConditionUse[] {
  const conditions = index.once(conditionsByTask);
  const uses: ConditionUse[] = [];
  for (const task of tasks) {
    const use = conditions.get(task);
    if (use !== undefined) uses.push(use);
    if (uses.length === maxCompared) break;
  }
  return uses;
}

const example = (more: string, condition = "!(inputs.parameter_values['label'] == 'large')") => `
root:
  dag:
    tasks:
      other:
        taskInfo: {name: other}
        componentRef: {name: comp-branch}
        inputs: {parameters: {label: {taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}}}
        triggerPolicy: {condition: ${JSON.stringify(condition)}}
${more}`;

const both: Rule = {
  id: "branches-both",
  summary: "No task depends on two tasks of which only one can run.",
  reason: "A task is left out when a task before it is, so that this one never runs.",
  severity: underKfp("warning"),
  examples: {
    wrong: example("      loop: {dependentTasks: [branch, other]}\n"),
    right: example("      loop: {dependentTasks: [prepare]}\n"),
  },
  *check(index) {
    if (index.once(conditionsByTask).size < 2) return;
    for (const task of index.tasks) {
      if (isExitTask(task)) continue;
      const pair = exclusivePair(new Set([...task.dependencies.map(({ to }) => to), task]), index);
      if (pair === undefined) continue;
      const [one, other] = pair;
      const last = other === task ? one : other;
      const at = task.dependencies.find(({ to }) => to === last)?.at ?? task.path;
      const message =
        other === task
          ? `task ${quote(task.name)} depends on task ${quote(one.name)}, which is left out whenever its own condition holds`
          : `task ${quote(task.name)} depends on tasks ${quote(one.name)} and ${quote(other.name)}, of which only one can run`;
      yield { at, message, hint: "it never runs; choose between their outputs in a DAG around them" };
    }
  },
};

const consumer: Rule = {
  id: "consumer-of-conditional",
  summary: "A task without a condition does not depend on a task with one.",
  reason:
    "When the condition is not met, everything after the task is left out with it, and the run succeeds.",
  severity: underKfp("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {loop: {dependentTasks: [branch]}}}}",
    right: "root: {dag: {tasks: {loop: {dependentTasks: [prepare]}}}}",
  },
  *check(index) {
    const conditions = index.once(conditionsByTask);
    for (const task of index.tasks) {
      if (conditions.has(task) || isExitTask(task)) continue;
      // It asks how the other task ended, and lacks the strategy of an exit task.
      if (task.dependencies.some(({ kind }) => kind === "status")) continue;
      const befores = new Set(task.dependencies.map(({ to }) => to));
      const conditional = task.dependencies.find(({ to }) => conditions.has(to));
      if (conditional === undefined || exclusivePair(befores, index) !== undefined) continue;
      const { to, at } = conditional;
      const message = `task ${quote(task.name)} is left out whenever the condition of task ${quote(to.name)} is not met`;
      const hint = "put it inside of that branch, or let a one-of choose an output of each branch";
      yield { at, message, hint };
    }
  },
};

const oneof = (condition: string) => `
components:
  comp-branch:
    outputDefinitions: {parameters: {text: {parameterType: STRING}}}
    dag:
      outputs:
        parameters:
          text:
            valueFromOneof:
              parameterSelectors:
                - {producerSubtask: report, outputParameterKey: text}
                - {producerSubtask: other, outputParameterKey: text}
      tasks:
        report:
          inputs: {parameters: {message: {componentInputParameter: label}}}
          triggerPolicy: {condition: "inputs.parameter_values['message'] == 'large'"}
        other:
          taskInfo: {name: other}
          componentRef: {name: comp-report}
          inputs: {parameters: {message: {componentInputParameter: label}}}
          triggerPolicy: {condition: ${JSON.stringify(condition)}}
  comp-report: {outputDefinitions: {parameters: {text: {parameterType: STRING}}}}
deploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}
`;

const notExclusive: Rule = {
  id: "oneof-not-exclusive",
  summary: "Of the tasks that a one-of chooses from, only one runs.",
  reason:
    "The back end takes the first that has finished, which may differ from run to run; the local runner fails.",
  severity: underKfp("warning"),
  examples: {
    wrong: oneof("inputs.parameter_values['message'] != 'small'"),
    right: oneof("inputs.parameter_values['message'] != 'large'"),
  },
  *check(index) {
    if (index.once(conditionsByTask).size < 2) return;
    for (const dag of index.components) {
      for (const [first, tasks] of choices(dag)) {
        const found = overlap(conditionsOf(tasks, index), index.once(commonCases));
        if (found !== undefined) yield { ...placeOf(dag.path, first), ...found };
      }
    }
  },
};

/** The tasks that each output of a DAG is chosen from, by its first selector. */
function choices({ selectors }: ComponentNode): Iterable<readonly [OutputSelector, ReadonlySet<TaskNode>]> {
  const found = new Map<string, readonly [OutputSelector, Set<TaskNode>]>();
  for (const selector of selectors) {
    const output = `${selector.kind} ${selector.output}`;
    const [first, tasks] = found.get(output) ?? [selector, new Set()];
    if (selector.task !== undefined) tasks.add(selector.task);
    found.set(output, [first, tasks]);
  }
  return found.values();
}

function placeOf(path: string, { kind, output }: OutputSelector) {
  return kind === "parameter"
    ? ({ at: `${pointer(`${path}/dag/outputs/parameters`, output)}/valueFromOneof`, part: "key" } as const)
    : ({ at: pointer(`${path}/dag/outputs/artifacts`, output), part: "key" } as const);
}

function overlap(uses: readonly ConditionUse[], cases: CommonCases) {
  for (const [position, one] of uses.entries()) {
    for (const other of uses.slice(position + 1)) {
      const values = cases.find(one, other)?.values;
      if (values === undefined) continue;
      const message = `tasks ${quote(one.task.name)} and ${quote(other.task.name)} both run when ${values}`;
      return { message, hint: "let the condition of one be the contrary of the other: !(…)" };
    }
  }
  return undefined;
}

/** Rules about tasks of which only some run. */
export const branchRules: RuleFamily = {
  title: "Branches",
  appliesTo: (index) => index.once(conditionUses).length > 0,
  rules: [both, consumer, notExclusive],
};
