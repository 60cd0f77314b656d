import { describeComponent, isExitTask, pointer, reachableComponents } from "@wye/pipeline-spec";
import { backEndTemplates, madeFor } from "../back-end-templates.js";
import { quote } from "../quote.js";
import { type Rule, type RuleFamily, underKfp } from "../rule.js";
import {
  badTemplates,
  driverNameTaken,
  taskNameInvalid,
  templateNameInvalid,
  whyNoTaskName,
} from "./workflow-name-rules.js";

/** What templates of the back end may be called; of hardly any pipeline it has to be known which there are. */
const templateName =
  /^(?:entrypoint|root|(?:metadata-\d+-\d+-)?(?:retry-)?system-.+|exit-hook-.+|.+-itera(?:tion|tor))$/;

/** Two loops: one over `comp-loop` in a task `b-again`, the other over `comp-loop-b`. */
const ambiguousExample = (task: string) => `
root:
  dag:
    tasks:
      loop: null
      b-again: {taskInfo: {name: b}, componentRef: {name: comp-loop}, parameterIterator: {items: {raw: '["c"]'}, itemInput: item}}
      ${task}: {taskInfo: {name: c}, componentRef: {name: comp-loop-b}, parameterIterator: {items: {raw: '["c"]'}, itemInput: item}}
components: {comp-loop-b: {inputDefinitions: {parameters: {item: {parameterType: STRING}}}, dag: {tasks: {report: {taskInfo: {name: report}, componentRef: {name: comp-report}, inputs: {parameters: {message: {componentInputParameter: item}}}}}}}}
`;

const reservedName: Rule = {
  id: "component-name-reserved",
  summary: "No component with tasks has the name of a template of the back end.",
  reason:
    "The template of the component takes its name, and the back end refuses the run or runs the wrong one of the two.",
  severity: underKfp("error"),
  examples: {
    wrong: `
root: {dag: {tasks: {branch: {componentRef: {name: system-dag-driver}}}}}
components: {comp-branch: null, system-dag-driver: {inputDefinitions: {parameters: {label: {parameterType: STRING}}}, dag: {tasks: {report: {taskInfo: {name: report}, componentRef: {name: comp-report}, inputs: {parameters: {message: {componentInputParameter: label}}}}}}}}
`,
    right: "root: {dag: {tasks: {branch: {componentRef: {name: comp-branch}}}}}",
    besides: ["component-name-style"],
  },
  *check(index) {
    for (const { name, path, tasks } of index.once(reachableComponents)) {
      if (name === undefined || tasks === undefined || !templateName.test(name)) continue;
      const { shared, ofTasks } = index.once(backEndTemplates);
      const template = ofTasks.get(name);
      if (template === undefined && !shared.has(name)) continue;
      const what = `the name of a template of the back end`;
      const message = `${quote(name)} is ${what}${template === undefined ? "" : `, for ${madeFor(template)}`}`;
      const related = template && [
        { at: template.task.path, part: "key", message: "made for this" } as const,
      ];
      yield { at: path, part: "key", message, hint: "give it another name", related: related ?? [] };
    }
  },
};

const ambiguous: Rule = {
  id: "task-template-ambiguous",
  summary: "No two loops or exit tasks make templates of the same name.",
  reason:
    "The back end joins the names of a component and a task with `-`, and refuses the run when two of them come out alike: `template already exists`.",
  severity: underKfp("error"),
  examples: {
    wrong: ambiguousExample("again"),
    right: ambiguousExample("more"),
  },
  *check(index) {
    // One alone, as most pipelines have at most, cannot be like another.
    if (index.tasks.filter((task) => task.spec.iterator !== undefined || isExitTask(task)).length < 2) return;
    for (const [template, other] of index.once(backEndTemplates).alike) {
      // That is two loops over one component, which is another rule.
      if (template.kind === "items" && other.kind === "items") continue;
      const message = `the template for ${madeFor(template)} is called ${quote(template.name)}, like that for ${madeFor(other)}`;
      const related = [{ at: other.task.path, part: "key", message: "the other one" } as const];
      yield {
        at: template.task.path,
        part: "key",
        message,
        hint: "give one of the two another name",
        related,
      };
    }
  },
};

const componentName: Rule = {
  id: "component-name-style",
  summary: "The name of a component has the form `comp-name`, in lower-case letters, digits and `-`.",
  reason: "All compilers write such names; others have never been tried on a cluster.",
  severity: underKfp("warning"),
  examples: {
    wrong: `
root: {dag: {tasks: {branch: null, loop: {componentRef: {name: Loop}}}}}
components:
  comp-branch: null
  comp-loop: null
  Loop:
    inputDefinitions: {parameters: {item: {parameterType: STRING}}}
    dag: {tasks: {report: {taskInfo: {name: report}, componentRef: {name: comp-report}, inputs: {parameters: {message: {componentInputParameter: item}}}}}}
`,
    right: "root: {dag: {tasks: {loop: {componentRef: {name: comp-loop}}}}}",
  },
  *check(index) {
    for (const component of index.components) {
      const { name, path } = component;
      if (name === undefined || /^comp-[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) continue;
      if (index.once(badTemplates).has(component)) continue;
      yield {
        at: path,
        part: "key",
        message: `${quote(name)} is an unusual name for a component`,
        hint: "write comp-name",
      };
    }
  },
};

const taskName: Rule = {
  id: "task-name-style",
  summary: "The name of a task consists of lower-case letters, digits and `-`, none at an end or twice.",
  reason: "All compilers write such names, and the engine makes names of Kubernetes objects from them.",
  severity: underKfp("warning"),
  examples: {
    wrong:
      "root: {dag: {tasks: {Train2: {taskInfo: {name: again}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}}}}}",
    right:
      "root: {dag: {tasks: {train2: {taskInfo: {name: again}, componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}}}}}",
  },
  *check(index) {
    const reachable = index.once(reachableComponents);
    for (const task of index.tasks) {
      const { name, path, parent } = task;
      if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) continue;
      // What the engine refuses is worse than unusual.
      if (reachable.has(parent) && whyNoTaskName(task) !== undefined) continue;
      const hint = "use lower-case letters, digits and -";
      yield { at: path, part: "key", message: `${quote(name)} is an unusual name for a task`, hint };
    }
  },
};

const channelName: Rule = {
  id: "input-name-style",
  summary:
    "Names of inputs and outputs begin with a letter, or `_`, and have letters, digits, blanks, `_` and `-`.",
  reason: "The compiler refuses others, and placeholders cannot name a key with a quote in it.",
  severity: underKfp("warning"),
  examples: {
    wrong:
      "components: {comp-train: {inputDefinitions: {parameters: {'2nd label': {parameterType: STRING, isOptional: true}}}}}",
    right:
      "components: {comp-train: {inputDefinitions: {parameters: {second label: {parameterType: STRING, isOptional: true}}}}}",
  },
  *check({ components }) {
    for (const component of components) {
      for (const side of ["inputDefinitions", "outputDefinitions"] as const) {
        for (const kind of ["parameters", "artifacts"] as const) {
          for (const name of Object.keys(component.spec[side]?.[kind] ?? {})) {
            if (/^[A-Za-z_][\w -]*$/.test(name)) continue;
            const at = pointer(`${component.path}/${side}/${kind}`, name);
            const message = `${quote(name)} is an unusual name for an ${side === "inputDefinitions" ? "input" : "output"}`;
            yield { at, part: "key", message };
          }
        }
      }
    }
  },
};

const outputName: Rule = {
  id: "input-name-reserved",
  summary: "No input parameter of a component with an executor is called `Output`.",
  reason: "That is the name of the value that a function returns; the compiler refuses such an input.",
  severity: underKfp("warning"),
  examples: {
    wrong:
      "components: {comp-train: {inputDefinitions: {parameters: {Output: {parameterType: STRING, isOptional: true}}}}}",
    right:
      "components: {comp-train: {inputDefinitions: {parameters: {output: {parameterType: STRING, isOptional: true}}}}}",
  },
  *check({ components }) {
    for (const component of components) {
      if (component.spec.implementation?.$case !== "executorLabel") continue;
      if (!Object.hasOwn(component.spec.inputDefinitions?.parameters ?? {}, "Output")) continue;
      const at = `${component.path}/inputDefinitions/parameters/Output`;
      yield { at, part: "key", message: `"Output" cannot be an input of ${describeComponent(component)}` };
    }
  },
};

/** Rules about names that are chosen. */
export const nameRules: RuleFamily = {
  title: "Names",
  rules: [
    taskNameInvalid,
    driverNameTaken,
    templateNameInvalid,
    reservedName,
    ambiguous,
    componentName,
    taskName,
    channelName,
    outputName,
  ],
};
