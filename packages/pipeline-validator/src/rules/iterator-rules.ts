import { describeComponent, pointer } from "@wye/pipeline-spec";
import { backEndTemplates } from "../back-end-templates.js";
import { iterations } from "../iterations.js";
import { near } from "../name-hint.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";

const incomplete: Rule = {
  id: "iterator-incomplete",
  summary: "An iterator names its items and the input that receives each.",
  reason: "The driver cannot iterate over nothing, and the body would not see the item.",
  severity: always("error"),
  examples: {
    wrong: "root: {dag: {tasks: {loop: {parameterIterator: {items: null}}}}}",
    right: "root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '[\"c\"]'}}}}}}",
  },
  *check(index) {
    for (const { path, itemInput, itemsInput, raw } of index.once(iterations)) {
      if (itemInput === "") {
        const message = "the iterator has no itemInput";
        yield { at: path, part: "key", message, hint: "add itemInput", sought: [`${path}/itemInput`] };
      }
      if (raw === undefined && (itemsInput ?? "") === "") {
        const message = "the iterator has no items";
        yield { at: path, part: "key", message, hint: "add items", sought: [`${path}/items/*`] };
      }
    }
  },
};

const itemUndeclared: Rule = {
  id: "iterator-item-undeclared",
  summary: "The input that receives each item is declared by the component.",
  reason: "The body of the loop could not see the item.",
  severity: always("error"),
  examples: {
    wrong: `
root: {dag: {tasks: {loop: {parameterIterator: {itemInput: itme}}}}}
components: {comp-loop: {inputDefinitions: {parameters: {item: {isOptional: true, defaultValue: x}}}}}
`,
    right: "root: {dag: {tasks: {loop: {parameterIterator: {itemInput: item}}}}}",
  },
  *check(index) {
    for (const { task, kind, path, itemInput } of index.once(iterations)) {
      const { component } = task;
      if (component === undefined || itemInput === "") continue;
      const definitions = component.spec.inputDefinitions?.[`${kind}s`] ?? {};
      if (Object.hasOwn(definitions, itemInput)) continue;
      const message = `${describeComponent(component)} has no input ${kind} ${quote(itemInput)} that could receive the item`;
      const sought = [pointer(`${component.path}/inputDefinitions/${kind}s`, itemInput)];
      yield {
        at: `${path}/itemInput`,
        message,
        hint: near(itemInput, definitions),
        sought,
      };
    }
  },
};

const itemSupplied: Rule = {
  id: "iterator-item-supplied",
  summary: "The input that receives each item is not supplied in another way.",
  reason: "The item takes the place of the supplied value, which is lost.",
  severity: always("error"),
  examples: {
    wrong: "root: {dag: {tasks: {loop: {inputs: {parameters: {item: {runtimeValue: {constant: c}}}}}}}}",
    right: "root: {dag: {tasks: {loop: {inputs: null}}}}",
  },
  *check(index) {
    for (const { task, kind, itemInput } of index.once(iterations)) {
      if (!Object.hasOwn(task.spec.inputs?.[`${kind}s`] ?? {}, itemInput)) continue;
      const at = pointer(`${task.path}/inputs/${kind}s`, itemInput);
      yield {
        at,
        part: "key",
        message: `the iterator fills the input ${quote(itemInput)}`,
        hint: "remove this input",
      };
    }
  },
};

const onExecutor: Rule = {
  id: "iterator-on-executor",
  summary: "Only a task whose component is a DAG has an iterator.",
  reason:
    "Compilers wrap what is to be repeated into a DAG. The open-source back end iterates over containers and importers as well; nothing else has been seen to.",
  severity: underKfp("warning"),
  examples: {
    wrong: `
root: {dag: {tasks: {loop: {componentRef: {name: comp-report}, parameterIterator: {itemInput: message}}}}}
components: {comp-loop: null}
`,
    right: "root: {dag: {tasks: {loop: {componentRef: {name: comp-loop}}}}}",
  },
  *check(index) {
    for (const { task, path } of index.once(iterations)) {
      if (task.component?.spec.implementation?.$case !== "executorLabel") continue;
      const message = `task ${quote(task.name)} iterates over ${describeComponent(task.component)}, which is not a DAG`;
      yield { at: path, part: "key", message, hint: "wrap the component into a DAG with one task" };
    }
  },
};

const artifactIterator: Rule = {
  id: "artifact-iterator-unsupported",
  summary: "Loops iterate over parameters, not artifacts.",
  reason:
    "The compiler of the open-source back end says `artifact iterator not implemented yet`; the local runner iterates.",
  severity: underKfp("warning"),
  examples: {
    wrong: `
root:
  inputDefinitions: {artifacts: {all: {artifactType: {schemaTitle: system.Dataset}, isArtifactList: true, isOptional: true}}}
  dag:
    tasks:
      loop:
        inputs: {artifacts: {all: {componentInputArtifact: all}}}
        parameterIterator: null
        artifactIterator: {items: {inputArtifact: all}, itemInput: one}
components:
  comp-loop:
    inputDefinitions:
      parameters: {item: {isOptional: true, defaultValue: x}}
      artifacts:
        all: {artifactType: {schemaTitle: system.Dataset}, isArtifactList: true, isOptional: true}
        one: {artifactType: {schemaTitle: system.Dataset}}
`,
    right: "root: {dag: {tasks: {loop: {parameterIterator: {itemInput: item}}}}}",
    besides: ["optional-artifact-handed-on"],
  },
  *check(index) {
    for (const { kind, path } of index.once(iterations)) {
      if (kind === "parameter") continue;
      yield { at: path, part: "key", message: "the open-source back end does not iterate over artifacts" };
    }
  },
};

const parallelism: Rule = {
  id: "parallelism-negative",
  summary: "A limit of parallelism is zero, for none, or more.",
  reason: "The SDK refuses negative limits, and the back end takes them for none.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong: "root: {dag: {tasks: {loop: {iteratorPolicy: {parallelismLimit: -1}}}}}",
    right: "root: {dag: {tasks: {loop: {iteratorPolicy: {parallelismLimit: 2}}}}}",
  },
  *check({ tasks }) {
    for (const { spec, path } of tasks) {
      const limit = spec.iteratorPolicy?.parallelismLimit ?? 0;
      if (limit >= 0) continue;
      const at = `${path}/iteratorPolicy/parallelismLimit`;
      yield { at, message: `a limit of ${limit} makes no sense`, hint: "use 0 for no limit" };
    }
  },
};

const policyAlone: Rule = {
  id: "iterator-policy-unused",
  summary: "Only a task with an iterator has an iterator policy.",
  reason: "The policy does nothing; perhaps the iterator was forgotten.",
  severity: always("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {train: {iteratorPolicy: {parallelismLimit: 2}}}}}",
    right: "root: {dag: {tasks: {loop: {iteratorPolicy: {parallelismLimit: 2}}}}}",
  },
  *check({ tasks }) {
    for (const { spec, path, name } of tasks) {
      if (spec.iteratorPolicy === undefined || spec.iterator !== undefined) continue;
      const message = `task ${quote(name)} has no iterator that the policy could limit`;
      const sought = [`${path}/parameterIterator`, `${path}/artifactIterator`];
      yield { at: `${path}/iteratorPolicy`, part: "key", message, sought };
    }
  },
};

const sharedComponent: Rule = {
  id: "iterator-component-shared",
  summary: "No two loops run the same component.",
  reason:
    "The back end makes one template for the items of a component, and refuses the run at the second: `template already exists`.",
  severity: underKfp("error"),
  examples: {
    wrong: `
root: {dag: {tasks: {again: {taskInfo: {name: again}, componentRef: {name: comp-loop}, parameterIterator: {items: {raw: '["c"]'}, itemInput: item}}}}}
`,
    right: `
root: {dag: {tasks: {again: {taskInfo: {name: again}, componentRef: {name: comp-again}, parameterIterator: {items: {raw: '["c"]'}, itemInput: item}}}}}
components: {comp-again: {inputDefinitions: {parameters: {item: {parameterType: STRING}}}, dag: {tasks: {report: {taskInfo: {name: report}, componentRef: {name: comp-report}, inputs: {parameters: {message: {componentInputParameter: item}}}}}}}}
`,
  },
  *check(index) {
    for (const [{ kind, task }, first] of index.once(backEndTemplates).alike) {
      if (task.component === undefined || kind !== "items" || first.kind !== "items") continue;
      yield {
        at: `${task.path}/componentRef/name`,
        message: `${describeComponent(task.component)} is run by another loop already, the task ${quote(first.task.name)}`,
        hint: "give this loop a copy of the component",
        related: [{ at: first.task.path, part: "key", message: "the other loop" }],
      };
    }
  },
};

/** Rules about loops. */
export const iteratorRules: RuleFamily = {
  title: "Iterators",
  appliesTo: ({ tasks }) =>
    tasks.some(({ spec }) => spec.iterator !== undefined || spec.iteratorPolicy !== undefined),
  rules: [
    incomplete,
    itemUndeclared,
    itemSupplied,
    onExecutor,
    artifactIterator,
    sharedComponent,
    parallelism,
    policyAlone,
  ],
};
