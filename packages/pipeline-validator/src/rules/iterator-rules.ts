import {
  describeComponent,
  describeValue,
  inputArtifact,
  inputParameter,
  type PipelineGraph,
  pointer,
  type TaskNode,
} from "@wye/pipeline-spec";
import { near } from "../name-hint.js";
import { fitsKind, kindOf } from "../parameter-kind.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";

/** A task that runs once per item. */
interface Iteration {
  readonly task: TaskNode;
  readonly kind: "parameter" | "artifact";
  readonly path: string;
  readonly itemInput: string;
  /** Name of the input with the items. */
  readonly itemsInput: string | undefined;
  /** Items as JSON text. */
  readonly raw: string | undefined;
}

function iterations({ tasks }: PipelineGraph): readonly Iteration[] {
  const found: Iteration[] = [];
  for (const task of tasks) {
    const { iterator } = task.spec;
    if (iterator === undefined) continue;
    const path = `${task.path}/${iterator.$case}`;
    const { itemInput } = iterator.value;
    if (iterator.$case === "artifactIterator") {
      const itemsInput = iterator.value.items?.inputArtifact;
      found.push({ task, kind: "artifact", path, itemInput, itemsInput, raw: undefined });
    } else {
      const items = iterator.value.items?.kind;
      const itemsInput = items?.$case === "inputParameter" ? items.value : undefined;
      const raw = items?.$case === "raw" ? items.value : undefined;
      found.push({ task, kind: "parameter", path, itemInput, itemsInput, raw });
    }
  }
  return found;
}

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

const itemsUnknown: Rule = {
  id: "iterator-items-unknown",
  summary: "The input that holds the items is supplied by the task.",
  reason: "The driver finds no items to iterate over.",
  severity: always("error"),
  examples: {
    wrong: "root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: null, inputParameter: labels}}}}}}",
    right: `
root:
  inputDefinitions: {parameters: {labels: {parameterType: LIST}}}
  dag:
    tasks:
      loop:
        inputs: {parameters: {labels: {componentInputParameter: labels}}}
        parameterIterator: {items: {raw: null, inputParameter: labels}}
components: {comp-loop: {inputDefinitions: {parameters: {labels: {parameterType: LIST}}}}}
`,
  },
  *check(index) {
    for (const { task, kind, path, itemsInput } of index.once(iterations)) {
      const supplied = task.spec.inputs?.[`${kind}s`] ?? {};
      if ((itemsInput ?? "") === "" || itemsInput === undefined || Object.hasOwn(supplied, itemsInput))
        continue;
      const at = `${path}/items/${kind === "parameter" ? "inputParameter" : "inputArtifact"}`;
      const message = `task ${quote(task.name)} has no input ${kind} ${quote(itemsInput)} that could hold the items`;
      const sought = [pointer(`${task.path}/inputs/${kind}s`, itemsInput)];
      yield { at, message, hint: near(itemsInput, supplied), sought };
    }
  },
};

const itemsInvalid: Rule = {
  id: "iterator-items-invalid",
  summary: "Raw items are a JSON array.",
  reason: "The driver fails on a text that is not JSON, and takes other JSON for an empty list.",
  severity: always("error"),
  examples: {
    wrong: "root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: \"['a', 'b']\"}}}}}}",
    right: "root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '[\"a\"]'}}}}}}",
  },
  *check(index) {
    for (const { path, raw } of index.once(iterations)) {
      if (raw === undefined || Array.isArray(parseItems(raw).value)) continue;
      const { error, value } = parseItems(raw);
      const message =
        error === undefined
          ? `the items are ${describeValue(value)}, not a list`
          : `the items are not JSON: ${error}`;
      yield { at: `${path}/items/raw`, message, hint: `write a JSON array, such as ["a", "b"]` };
    }
  },
};

function parseItems(raw: string): { readonly value?: unknown; readonly error?: string } {
  try {
    return { value: JSON.parse(raw) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

const itemsType: Rule = {
  id: "iterator-items-type",
  summary: "Raw items are of the type of the input that receives them.",
  reason: "The driver refuses the item when its iteration is to start.",
  severity: always("error"),
  examples: {
    wrong: `
root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '[1, "b"]'}}}}}}
components:
  comp-loop: {inputDefinitions: {parameters: {item: {parameterType: NUMBER_INTEGER}}}, dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: null, runtimeValue: {constant: x}}}}}}}}
`,
    right: `
root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '[1, 2]'}}}}}}
components:
  comp-loop: {inputDefinitions: {parameters: {item: {parameterType: NUMBER_INTEGER}}}, dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: null, runtimeValue: {constant: x}}}}}}}}
`,
  },
  *check(index) {
    for (const { task, path, itemInput, raw } of index.once(iterations)) {
      const declared = task.component && inputParameter(task.component, itemInput);
      const kind = kindOf(declared);
      const items = raw === undefined ? undefined : parseItems(raw).value;
      // Everything can become text.
      if (kind === undefined || kind === "STRING" || !Array.isArray(items)) continue;
      const position = items.findIndex((item) => !fitsKind(item, kind));
      if (position === -1) continue;
      const message = `${quote(itemInput)} is of type ${kind}, but item ${position} is ${describeValue(items[position])}`;
      yield { at: `${path}/items/raw`, message };
    }
  },
};

const itemsEmpty: Rule = {
  id: "iterator-items-empty",
  summary: "A list of raw items is not empty.",
  reason: "The loop runs nothing; the compiler refuses such a loop.",
  severity: underKfp("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '[]'}}}}}}",
    right: "root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '[\"a\"]'}}}}}}",
  },
  *check(index) {
    for (const { path, raw } of index.once(iterations)) {
      const items = raw === undefined ? undefined : parseItems(raw).value;
      if (Array.isArray(items) && items.length === 0)
        yield { at: `${path}/items/raw`, message: "there are no items" };
    }
  },
};

const itemsKind: Rule = {
  id: "iterator-items-not-list",
  summary: "The input that holds the items is a list, or a text with a JSON array.",
  reason: "The driver fails with `value cannot be iterated`.",
  severity: always("error"),
  examples: {
    wrong: `
root:
  dag:
    tasks:
      loop:
        inputs: {parameters: {rows: {componentInputParameter: rows}}}
        parameterIterator: {items: {raw: null, inputParameter: rows}}
components: {comp-loop: {inputDefinitions: {parameters: {rows: {parameterType: NUMBER_INTEGER}}}}}
`,
    right: `
root:
  dag:
    tasks:
      loop:
        inputs: {parameters: {rows: {runtimeValue: {constant: '["a"]'}}}}
        parameterIterator: {items: {raw: null, inputParameter: rows}}
components: {comp-loop: {inputDefinitions: {parameters: {rows: {parameterType: STRING}}}}}
`,
  },
  *check(index, profile) {
    for (const { task, kind, path, itemsInput } of index.once(iterations)) {
      if (task.component === undefined || itemsInput === undefined) continue;
      if (kind === "artifact") {
        const declared = inputArtifact(task.component, itemsInput);
        if (declared?.isArtifactList !== false) continue;
        const message = `the input ${quote(itemsInput)} is a single artifact, not a list`;
        yield { at: `${path}/items/inputArtifact`, message };
        continue;
      }
      const found = kindOf(inputParameter(task.component, itemsInput));
      if (found === undefined || found === "STRING" || (found === "LIST" && profile === "kfp")) continue;
      const wanted = profile === "kfp" ? "LIST or STRING" : "STRING";
      const message = `the input ${quote(itemsInput)} with the items is of type ${found}, not ${wanted}`;
      yield { at: `${path}/items/inputParameter`, message };
    }
  },
};

const onExecutor: Rule = {
  id: "iterator-on-executor",
  summary: "Only a task whose component is a DAG has an iterator.",
  reason: "The compiler wraps what is to be repeated into a DAG, and the back end iterates over DAGs only.",
  severity: underKfp("error"),
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
  reason: "The compiler refuses negative limits.",
  severity: always("error"),
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

/** Rules about loops. */
export const iteratorRules: RuleFamily = {
  title: "Iterators",
  rules: [
    incomplete,
    itemUndeclared,
    itemSupplied,
    itemsUnknown,
    itemsInvalid,
    itemsType,
    itemsEmpty,
    itemsKind,
    onExecutor,
    artifactIterator,
    parallelism,
    policyAlone,
  ],
};
