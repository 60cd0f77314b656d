import { type ComponentNode, describeComponent, type PipelineGraph, pointer } from "@wye/pipeline-spec";
import { near } from "../name-hint.js";
import { inputElsewhere, lostItem, taskElsewhere } from "../other-scopes.js";
import { isDeclared, type OutputUse, outputUses, producerUses } from "../output-uses.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";

const implementationMissing: Rule = {
  id: "implementation-missing",
  summary: "A component is either a DAG or has an executor.",
  reason: "A component without implementation cannot run.",
  severity: always("error"),
  examples: {
    wrong:
      "components: {comp-report: {executorLabel: null}}\ndeploymentSpec: {executors: {exec-report: null}}",
    right: "components: {comp-report: {executorLabel: exec-report}}",
  },
  *check({ components }) {
    for (const component of components) {
      if (component.spec.implementation !== undefined) continue;
      const message = `${describeComponent(component)} has no implementation`;
      const sought = [`${component.path}/dag`, `${component.path}/executorLabel`];
      yield { at: component.path, part: "key", message, hint: "add dag or executorLabel", sought };
    }
  },
};

const executorUnknown: Rule = {
  id: "executor-unknown",
  summary: "An executor label names an executor of the deployment.",
  reason: "The compiler of the back end refuses the pipeline when a run is created.",
  severity: always("error"),
  examples: {
    wrong:
      "components: {comp-report: {executorLabel: exec-reports}}\ndeploymentSpec: {executors: {exec-report: null}}",
    right: "components: {comp-report: {executorLabel: exec-report}}",
  },
  *check({ components, deployment }) {
    for (const { path, spec, executor } of components) {
      if (spec.implementation?.$case !== "executorLabel" || executor !== undefined) continue;
      const label = spec.implementation.value;
      const message = label === "" ? "the executor label is empty" : `there is no executor ${quote(label)}`;
      const sought = [pointer("/deploymentSpec/executors", label)];
      yield { at: `${path}/executorLabel`, message, hint: near(label, deployment.executors), sought };
    }
  },
};

const componentRefMissing: Rule = {
  id: "component-ref-missing",
  summary: "A task names the component that it runs.",
  reason: "The compiler of the back end refuses a task without component.",
  severity: always("error"),
  examples: {
    wrong: "root: {dag: {tasks: {branch: {componentRef: null}}}}\ncomponents: {comp-branch: null}",
    right: "root: {dag: {tasks: {branch: {componentRef: {name: comp-branch}}}}}",
  },
  *check({ tasks }) {
    for (const { path, spec, name } of tasks) {
      if ((spec.componentRef?.name ?? "") !== "") continue;
      const message = `task ${quote(name)} names no component`;
      const sought = [`${path}/componentRef/name`];
      yield { at: path, part: "key", message, hint: "add componentRef with the name of a component", sought };
    }
  },
};

const componentUnknown: Rule = {
  id: "component-unknown",
  summary: "A task refers to a component that exists.",
  reason: "The compiler of the back end refuses the pipeline when a run is created.",
  severity: always("error"),
  examples: {
    wrong:
      "root: {dag: {tasks: {branch: {componentRef: {name: comp-brunch}}}}}\ncomponents: {comp-branch: null}",
    right: "root: {dag: {tasks: {branch: {componentRef: {name: comp-branch}}}}}",
  },
  *check({ spec, tasks }) {
    for (const task of tasks) {
      const name = task.spec.componentRef?.name ?? "";
      if (name === "" || task.component !== undefined) continue;
      const hint = near(name, spec.components);
      const sought = [pointer("/components", name)];
      const message = `there is no component ${quote(name)}`;
      yield { at: `${task.path}/componentRef/name`, message, hint, sought };
    }
  },
};

const dependentTaskUnknown: Rule = {
  id: "dependent-task-unknown",
  summary: "A task depends on tasks of its own DAG.",
  reason: "The workflow engine refuses a dependency that it does not know.",
  severity: always("error"),
  examples: {
    wrong: "root: {dag: {tasks: {train: {dependentTasks: [preprare]}}}}",
    right: "root: {dag: {tasks: {train: {dependentTasks: [prepare]}}}}",
  },
  *check(index) {
    for (const task of index.tasks) {
      for (const [position, name] of task.spec.dependentTasks.entries()) {
        if (task.parent.tasks?.has(name)) continue;
        const at = pointer(task.path, "dependentTasks", position);
        const message = `there is no task ${quote(name)} in this DAG`;
        yield {
          at,
          message,
          hint: near(name, task.parent.tasks, {
            except: task.name,
            elsewhere: taskElsewhere(name, index),
          }),
          sought: [taskPointer(task.parent, name)],
        };
      }
    }
  },
};

const dependentTaskTwice: Rule = {
  id: "dependent-task-twice",
  summary: "A dependency is listed once.",
  reason: "The second mention does nothing; perhaps another task was meant.",
  severity: always("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {train: {dependentTasks: [prepare, prepare]}}}}",
    right: "root: {dag: {tasks: {train: {dependentTasks: [prepare]}}}}",
  },
  *check({ tasks }) {
    for (const { spec, path } of tasks) {
      const { dependentTasks } = spec;
      if (new Set(dependentTasks).size === dependentTasks.length) continue;
      const seen = new Set<string>();
      for (const [position, name] of dependentTasks.entries()) {
        const at = pointer(path, "dependentTasks", position);
        if (seen.has(name)) yield { at, message: `task ${quote(name)} is listed twice` };
        seen.add(name);
      }
    }
  },
};

const producerUnknown: Rule = {
  id: "producer-unknown",
  summary: "What produces a value is a task of the same DAG.",
  reason: "The compiler of the back end, or the driver at run time, cannot find the producer.",
  severity: always("error"),
  examples: {
    wrong: `
root:
  dag:
    tasks:
      branch:
        inputs: {parameters: {label: {taskOutputParameter: {producerTask: prepar}}}}
`,
    right: `
root:
  dag:
    tasks:
      branch:
        inputs: {parameters: {label: {taskOutputParameter: {producerTask: prepare}}}}
`,
  },
  *check(index) {
    for (const { reference, dag, consumer } of producerUses(index)) {
      if (reference.task !== undefined) continue;
      const { producer, producerAt } = reference;
      const message =
        producer === "" ? "no producer is named" : `there is no task ${quote(producer)} in this DAG`;
      yield {
        at: producerAt,
        message,
        hint: near(producer, dag.tasks, {
          ...(consumer && { except: consumer.name }),
          elsewhere: taskElsewhere(producer, index),
        }),
        sought: [producer === "" ? producerAt : taskPointer(dag, producer)],
      };
    }
  },
};

const outputUnknown: Rule = {
  id: "output-unknown",
  summary: "A selected output is declared by the component of the task that produces it.",
  reason: "The driver finds no such output, after the producer has already run.",
  severity: always("error"),
  examples: {
    wrong: `
root:
  dag:
    tasks:
      branch:
        inputs: {parameters: {label: {taskOutputParameter: {outputParameterKey: labels}}}}
`,
    right: `
root:
  dag:
    tasks:
      branch:
        inputs: {parameters: {label: {taskOutputParameter: {outputParameterKey: label}}}}
`,
  },
  *check(index) {
    for (const use of outputUses(index)) {
      const producer = use.reference.task?.component;
      if (producer === undefined || isDeclared(use, producer)) continue;
      yield unknownOutput(use, producer, index);
    }
  },
};

function unknownOutput({ kind, reference }: OutputUse, component: ComponentNode, index: PipelineGraph) {
  const { key, keyAt, producer } = reference;
  const { parameters = {}, artifacts = {} } = component.spec.outputDefinitions ?? {};
  const [same, other] = kind === "parameter" ? [parameters, artifacts] : [artifacts, parameters];
  const what = kind === "parameter" ? "parameter" : "artifact";
  const otherKind = what === "parameter" ? "artifact" : "parameter";
  const hint = Object.hasOwn(other, key)
    ? `${quote(key)} is an output ${otherKind} of that component`
    : (lostItem(`${producer}-${key}`, index) ?? near(key, same));
  const sought = [key === "" ? keyAt : pointer(`${component.path}/outputDefinitions/${what}s`, key)];
  const message =
    key === ""
      ? `no output of task ${quote(producer)} is named`
      : `${describeComponent(component)} of task ${quote(producer)} has no output ${what} ${quote(key)}`;
  const at =
    component.spec.outputDefinitions === undefined ? component.path : `${component.path}/outputDefinitions`;
  const related = [{ at, part: "key", message: "outputs are declared here" } as const];
  return { at: keyAt, message, hint, related, sought };
}

const parentInputUnknown: Rule = {
  id: "parent-input-unknown",
  summary: "An input taken from the enclosing component is declared there.",
  reason:
    "Tasks see only the inputs of their own DAG; the driver fails with `parent DAG does not have input`.",
  severity: always("error"),
  examples: {
    wrong: `
components:
  comp-branch: {dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: lable}}}}}}}
`,
    right: `
components:
  comp-branch: {dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: label}}}}}}}
`,
  },
  *check(index) {
    for (const { kind, task, source } of index.tasks.flatMap(({ inputs }) => inputs)) {
      if (source?.kind !== "input") continue;
      const { parent } = task;
      const { name, at } = source;
      const definitions = parent.spec.inputDefinitions;
      const [same, other] =
        kind === "parameter"
          ? [definitions?.parameters, definitions?.artifacts]
          : [definitions?.artifacts, definitions?.parameters];
      if (Object.hasOwn(same ?? {}, name)) continue;
      const message =
        name === ""
          ? "no input is named"
          : `${describeComponent(parent)} has no input ${kind} ${quote(name)}`;
      const hint = Object.hasOwn(other ?? {}, name)
        ? `${quote(name)} is an input ${kind === "parameter" ? "artifact" : "parameter"}`
        : (lostItem(name, index) ??
          near(name, same, { elsewhere: inputElsewhere(kind, name, parent, index) }));
      const sought = [name === "" ? at : pointer(`${parent.path}/inputDefinitions/${kind}s`, name)];
      const declared = definitions === undefined ? parent.path : `${parent.path}/inputDefinitions`;
      const related = [{ at: declared, part: "key", message: "inputs are declared here" } as const];
      yield { at, message, hint, related, sought };
    }
  },
};

const dagEmpty: Rule = {
  id: "dag-empty",
  summary: "A DAG has at least one task that is not an exit task.",
  reason: "The compiler of the back end refuses a DAG with nothing to run.",
  severity: underKfp("error"),
  examples: {
    wrong: "components: {comp-branch: {dag: {tasks: {report: null}}}}",
    right: "components: {comp-branch: {dag: {tasks: {report: {taskInfo: {name: report}}}}}}",
  },
  *check({ components }) {
    for (const component of components) {
      if (component.tasks === undefined) continue;
      const tasks = [...component.tasks.values()];
      // 2 is ALL_UPSTREAM_TASKS_COMPLETED: such tasks become exit hooks.
      if (tasks.some(({ spec }) => spec.triggerPolicy?.strategy !== 2)) continue;
      const message = `${describeComponent(component)} has no task${tasks.length > 0 ? " but exit tasks" : ""}`;
      const sought = [`${component.path}/dag/tasks/*/triggerPolicy/strategy`];
      yield { at: `${component.path}/dag`, part: "key", message, sought };
    }
  },
};

const taskPointer = (dag: ComponentNode, name: string): string => pointer(`${dag.path}/dag/tasks`, name);

/** Rules about names that refer to something. */
export const referenceRules: RuleFamily = {
  title: "References",
  rules: [
    implementationMissing,
    executorUnknown,
    componentRefMissing,
    componentUnknown,
    dependentTaskUnknown,
    dependentTaskTwice,
    producerUnknown,
    outputUnknown,
    parentInputUnknown,
    dagEmpty,
  ],
};
