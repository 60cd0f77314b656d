import { isExitTask } from "@wye/pipeline-spec";
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

/** Rules about the order of tasks. */
export const flowRules: RuleFamily = { title: "Order of tasks", rules: [exitUpstream] };
