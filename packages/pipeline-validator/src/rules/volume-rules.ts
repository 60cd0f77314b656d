import type { InputSource, PipelineGraph, TaskNode } from "@wye/pipeline-spec";
import { hasPlatform } from "../platform-part.js";
import { quote } from "../quote.js";
import { type Rule, type RuleFamily, underKfp } from "../rule.js";
import { taskOrder } from "../task-order.js";

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
  summary: "A volume claim is deleted after every task that mounts it.",
  reason:
    "The driver deletes the claim as soon as it may, and pods that mount it afterwards wait for it without end.",
  severity: underKfp("error"),
  examples: { wrong: volume("[make]", "[make]"), right: volume("[make]", "[make, use]") },
  *check(index) {
    const order = index.once(taskOrder);
    const users = index.once(claimUsers);
    for (const task of index.tasks) {
      const claim = deletedClaim(task);
      if (claim === undefined) continue;
      for (const user of users.get(claim) ?? []) {
        if (order.isSpent) return;
        if (user === task || order.isAfter(task, user)) continue;
        const isLate = order.isAfter(user, task);
        if (isLate && isMadeBetween(claim, task, user, index)) continue;
        const message = isLate
          ? `task ${quote(user.name)} mounts a volume claim that task ${quote(task.name)} has deleted before`
          : `task ${quote(task.name)} deletes a volume claim without waiting for task ${quote(user.name)}, which mounts it`;
        const hint = isLate
          ? "delete it afterwards, or make it anew in between"
          : `add ${quote(user.name)} to its dependentTasks`;
        yield { at: task.path, part: "key", message, hint, sought: [`${task.path}/dependentTasks/*`] };
        // The others that mount it are in the same case, more often than not.
        break;
      }
    }
  },
};

/** True when a task makes a claim of the same name after one has deleted it, and before another mounts it. */
function isMadeBetween(claim: string, deleted: TaskNode, user: TaskNode, index: PipelineGraph): boolean {
  const order = index.once(taskOrder);
  const makers = index.once(claimMakers).get(claim) ?? [];
  return makers.some((maker) => order.isAfter(maker, deleted) && order.isAfter(user, maker));
}

/** The tasks that make a claim under a name that others can give as well. */
function claimMakers({ tasks }: PipelineGraph): ReadonlyMap<string, readonly TaskNode[]> {
  const makers = new Map<string, TaskNode[]>();
  for (const task of tasks) {
    const executor = task.component?.executor?.spec.spec;
    if (executor?.$case !== "container" || executor.value.image !== "argostub/createpvc") continue;
    const claim = claimOf(task, task.input("parameter", "pvc_name")?.source);
    if (claim === undefined) continue;
    const known = makers.get(claim) ?? [];
    known.push(task);
    makers.set(claim, known);
  }
  return makers;
}

/** The tasks that mount a claim, by the claim; each task once. */
function claimUsers({ tasks }: PipelineGraph): ReadonlyMap<string, ReadonlySet<TaskNode>> {
  const users = new Map<string, Set<TaskNode>>();
  for (const task of tasks) {
    for (const { at, source } of task.platformInputs) {
      const claim = at.includes("/pvcMount/") ? claimOf(task, source) : undefined;
      if (claim === undefined) continue;
      const known = users.get(claim) ?? new Set();
      users.set(claim, known.add(task));
    }
  }
  return users;
}

function deletedClaim(task: TaskNode): string | undefined {
  const executor = task.component?.executor?.spec.spec;
  if (executor?.$case !== "container" || executor.value.image !== "argostub/deletepvc") return undefined;
  return claimOf(task, task.input("parameter", "pvc_name")?.source);
}

/** What names a claim: the same text for the same claim, as far as one DAG shows. */
function claimOf({ parent }: TaskNode, source: InputSource | undefined): string | undefined {
  switch (source?.kind) {
    case "output":
      return JSON.stringify([parent.path, source.producer, source.key]);
    case "input":
      return JSON.stringify([parent.path, source.name]);
    case "constant":
      return JSON.stringify([parent.path, { constant: source.value }]);
    default:
      return undefined;
  }
}

/** Rules about the order in which volumes are made, used and deleted. */
export const volumeRules: RuleFamily = {
  title: "Order of Kubernetes resources",
  appliesTo: hasPlatform,
  rules: [referenceOrder, deletedEarly],
};
