import type { PipelineGraph, TaskNode } from "@wye/pipeline-spec";
import { claimTasksOf } from "../claim-tasks.js";
import { hasPlatform } from "../platform-part.js";
import { quote } from "../quote.js";
import { type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { taskOrder } from "../task-order.js";
import { mayBothRun, siblings } from "../task-siblings.js";

/** An example with a claim, a task that mounts it, and one that deletes it; the two tasks after `make` in addition. */
const volume = (use: string, drop: string) => `
root: {dag: {tasks: {body: {taskInfo: {name: body}, componentRef: {name: comp-body}}}}}
components:
  comp-body:
    dag:
      tasks:
        make:
          taskInfo: {name: make}
          componentRef: {name: comp-make}
          inputs: {parameters: {access_modes: {runtimeValue: {constant: [ReadWriteOnce]}}, size: {runtimeValue: {constant: 5Gi}}}}
        use: {taskInfo: {name: use}, componentRef: {name: comp-use}, dependentTasks: ${use}}
        drop:
          taskInfo: {name: drop}
          componentRef: {name: comp-drop}
          dependentTasks: ${drop}
          inputs: {parameters: {pvc_name: {taskOutputParameter: {producerTask: make, outputParameterKey: name}}}}
  comp-make:
    executorLabel: exec-make
    inputDefinitions: {parameters: {access_modes: {parameterType: LIST}, size: {parameterType: STRING}}}
    outputDefinitions: {parameters: {name: {parameterType: STRING}}}
  comp-use: {executorLabel: exec-use}
  comp-drop: {executorLabel: exec-drop, inputDefinitions: {parameters: {pvc_name: {parameterType: STRING}}}}
deploymentSpec:
  executors:
    exec-make: {container: {image: argostub/createpvc}}
    exec-use: {container: {image: busybox, command: [ls, /data]}}
    exec-drop: {container: {image: argostub/deletepvc}}
---
platforms:
  kubernetes:
    deploymentSpec:
      executors:
        exec-use:
          pvcMount:
            - mountPath: /data
              pvcNameParameter: {taskOutputParameter: {producerTask: make, outputParameterKey: name}}
`;

const referenceOrder: Rule = {
  id: "platform-reference-order",
  summary: "A task waits for the task whose output its Kubernetes settings take.",
  reason:
    "Settings make no task wait: the two start together, and the driver finds no output yet, so that the task fails.",
  severity: underKfp("error"),
  examples: { wrong: volume("[]", "[make, use]"), right: volume("[make]", "[make, use]") },
  *check(index) {
    const order = index.once(taskOrder);
    const told = new Set<string>();
    for (const task of index.tasks) {
      for (const { kind, to, at } of task.dependencies) {
        // Several tasks may run the executor; one of them is enough to tell.
        if (kind !== "platform" || to === task || told.has(at) || order.isAfter(task, to)) continue;
        told.add(at);
        const message = `task ${quote(task.name)} does not wait for task ${quote(to.name)}, whose output is taken here`;
        yield {
          at,
          message,
          hint: `add ${quote(to.name)} to dependentTasks of ${quote(task.name)}`,
          sought: [`${task.path}/dependentTasks/*`],
        };
      }
    }
  },
};

const deletedEarly: Rule = {
  id: "volume-deleted-early",
  summary: "A volume claim is deleted after every task that mounts it, also inside of loops and conditions.",
  reason:
    "The driver deletes the claim as soon as it may, and pods that mount it afterwards wait for it without end.",
  severity: underKfp("error"),
  examples: { wrong: volume("[make]", "[make]"), right: volume("[make]", "[make, use]") },
  *check(index) {
    const order = index.once(taskOrder);
    const { users, deleters } = index.once(claimTasksOf);
    for (const [task, claim] of deleters) {
      for (const user of users.get(claim) ?? []) {
        if (order.isSpent) return;
        const found = user === task ? undefined : early(task, user, claim, index);
        if (found === undefined) continue;
        yield found;
        // The others that mount it are in the same case, more often than not.
        break;
      }
    }
  },
};

/** What it costs to look for the DAG around two tasks, in steps from one task to the next. */
const stepsUp = 10;

/** What is wrong when one task deletes a claim that another mounts, each perhaps inside of tasks of one DAG. */
function early(task: TaskNode, user: TaskNode, claim: string, index: PipelineGraph): Finding | undefined {
  const order = index.once(taskOrder);
  order.spend(stepsUp);
  const both = siblings(task, user);
  if (both === undefined || order.isAfter(both.one, both.other) || !mayBothRun(both, index)) return undefined;
  const isLate = order.isAfter(both.other, both.one);
  if (isLate && isMadeBetween(claim, task, user, index)) return undefined;
  const message = isLate
    ? `task ${quote(user.name)} mounts a volume claim that task ${quote(task.name)} has deleted before`
    : `task ${quote(task.name)} deletes a volume claim without waiting for task ${quote(user.name)}, which mounts it`;
  const whose = both.one === task ? "its dependentTasks" : `dependentTasks of ${quote(both.one.name)}`;
  const hint = isLate
    ? "delete it afterwards, or make it anew in between"
    : `add ${quote(both.other.name)} to ${whose}`;
  return { at: task.path, part: "key", message, hint, sought: [`${both.one.path}/dependentTasks/*`] };
}

/** True when a task makes a claim of the same name after one has deleted it, and before another mounts it. */
function isMadeBetween(claim: string, deleted: TaskNode, user: TaskNode, index: PipelineGraph): boolean {
  const order = index.once(taskOrder);
  const isAfter = (task: TaskNode, earlier: TaskNode): boolean => {
    order.spend(stepsUp);
    const both = siblings(task, earlier);
    return both === undefined || order.isAfter(both.one, both.other);
  };
  const makers = index.once(claimTasksOf).makers.get(claim) ?? [];
  return makers.some((maker) => isAfter(maker, deleted) && isAfter(user, maker));
}

/** Rules about the order in which volumes are made, used and deleted. */
export const volumeRules: RuleFamily = {
  title: "Order of Kubernetes resources",
  appliesTo: hasPlatform,
  rules: [referenceOrder, deletedEarly],
};
