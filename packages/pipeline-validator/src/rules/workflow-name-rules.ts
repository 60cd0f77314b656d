import {
  type ComponentNode,
  isExitTask,
  type PipelineGraph,
  reachableComponents,
  type TaskNode,
} from "@wye/pipeline-spec";
import { backEndTemplates, madeFor } from "../back-end-templates.js";
import { isPseudoImage } from "../containers.js";
import { quote } from "../quote.js";
import { type Rule, underKfp } from "../rule.js";

/** As many characters as the engine takes for the name of a task or template. */
const most = 128;
const fieldName = /^[A-Za-z0-9][-A-Za-z0-9]*$/;

/** The name of the task that the back end puts before another one; undefined where it puts none. */
function driverOf({ name, component, spec }: TaskNode): string | undefined {
  if (spec.iterator !== undefined) return undefined;
  const executor = component?.executor?.spec.spec;
  const isContainer = executor?.$case === "container" && !isPseudoImage(executor.value.image);
  return component?.tasks !== undefined || isContainer ? `${name}-driver` : undefined;
}

/** Why the engine does not take the name of a task, and what to do; undefined when it does. */
export function whyNoTaskName(task: TaskNode): readonly [reason: string, hint: string] | undefined {
  const { name } = task;
  if (!fieldName.test(name)) {
    return ["has other characters than letters, digits and -, or begins with -", "use letters, digits and -"];
  }
  if (/^\d/.test(name)) return ["begins with a digit", "begin it with a letter"];
  const { length } = driverOf(task) ?? name;
  if (length <= most) return undefined;
  return [`has more than ${most - (length - name.length)} characters`, "give it a shorter name"];
}

export const taskNameInvalid: Rule = {
  id: "task-name-invalid",
  summary:
    "The name of a task consists of letters, digits and `-`, begins with a letter, and is not too long for Argo Workflows.",
  reason: "The workflow that the back end makes of the pipeline is invalid, and nothing of it runs.",
  severity: underKfp("error"),
  examples: {
    wrong:
      "root: {dag: {tasks: {train_2: {taskInfo: {name: again}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}}}}}",
    right:
      "root: {dag: {tasks: {train-2: {taskInfo: {name: again}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}}}}}",
  },
  *check(index) {
    const reachable = index.once(reachableComponents);
    for (const task of index.tasks) {
      const wrong = whyNoTaskName(task);
      if (wrong === undefined || !reachable.has(task.parent)) continue;
      const [reason, hint] = wrong;
      const message = `the name ${quote(task.name)} ${reason}, which Argo Workflows refuses`;
      yield { at: task.path, part: "key", message, hint };
    }
  },
};

export const driverNameTaken: Rule = {
  id: "task-name-of-driver",
  summary: "No task is called like the driver of another one, `train-driver` beside `train`.",
  reason:
    "The back end makes two tasks of one, a driver and what it prepares, and the workflow has two of the same name: it is invalid, and nothing of it runs.",
  severity: underKfp("error"),
  examples: {
    wrong:
      "root: {dag: {tasks: {train-driver: {taskInfo: {name: again}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}}}}}",
    right:
      "root: {dag: {tasks: {train-drive: {taskInfo: {name: again}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}}}}}",
  },
  *check(index) {
    const reachable = index.once(reachableComponents);
    for (const task of index.tasks) {
      const driver = driverOf(task);
      const other = driver === undefined ? undefined : task.parent.tasks?.get(driver);
      // Each exit task is in a template of its own.
      if (other === undefined || isExitTask(task) || isExitTask(other) || !reachable.has(task.parent))
        continue;
      const message = `the back end calls the driver of task ${quote(task.name)} ${quote(other.name)} as well`;
      const related = [{ at: task.path, part: "key", message: "the task with this driver" } as const];
      yield { at: other.path, part: "key", message, hint: "give one of the two another name", related };
    }
  },
};

/** The components with tasks whose name the engine does not take for a template. */
export function badTemplates(index: PipelineGraph): ReadonlySet<ComponentNode> {
  const reachable = [...index.once(reachableComponents)];
  return new Set(
    reachable.filter(
      ({ name, tasks }) =>
        name !== undefined && tasks !== undefined && !(fieldName.test(name) && name.length <= most),
    ),
  );
}

export const templateNameInvalid: Rule = {
  id: "template-name-invalid",
  summary:
    "What the back end calls a template, such as a component with tasks, consists of letters, digits and `-`, and is not too long.",
  reason:
    "Templates are called like components, or like a component and a task; Argo Workflows takes 128 characters, and refuses the workflow.",
  severity: underKfp("error"),
  examples: {
    wrong: `
root: {dag: {tasks: {branch: {componentRef: {name: comp.branch}}}}}
components: {comp-branch: null, comp.branch: {inputDefinitions: {parameters: {label: {parameterType: STRING}}}, dag: {tasks: {report: {taskInfo: {name: report}, componentRef: {name: comp-report}, inputs: {parameters: {message: {componentInputParameter: label}}}}}}}}
`,
    right: "root: {dag: {tasks: {branch: {componentRef: {name: comp-branch}}}}}",
  },
  *check(index) {
    const told = new Set<unknown>(index.once(badTemplates));
    for (const { name = "", path } of index.once(badTemplates)) {
      const message = `${quote(name)} cannot be the name of a template of Argo Workflows`;
      yield { at: path, part: "key", message, hint: "use at most 128 letters, digits and -" };
    }
    if (!index.tasks.some(hasLongNames)) return;
    for (const template of index.once(backEndTemplates).ofTasks.values()) {
      const { name, task } = template;
      if (name.length <= most || told.has(task) || told.has(task.component)) continue;
      told.add(task);
      const message = `the template for ${madeFor(template)} has a name of ${name.length} characters, of which Argo Workflows takes ${most}`;
      yield { at: task.path, part: "key", message, hint: "give the task or its component a shorter name" };
    }
  },
};

/** True for a task whose name may become too long when others are joined to it. */
function hasLongNames({ name, component, parent }: TaskNode): boolean {
  return name.length + Math.max(component?.name?.length ?? 0, parent.name?.length ?? 0) > most / 2;
}
