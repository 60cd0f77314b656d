import { inputArtifact, inputParameter, pointer } from "@wye/pipeline-spec";
import { type ItemList, itemLists } from "../item-lists.js";
import { iterations } from "../iterations.js";
import { near } from "../name-hint.js";
import { kindOf } from "../parameter-kind.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { notItems, notLiteral, wrongItem, wrongLists } from "../wrong-items.js";

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
  summary: "Items that are written as a text are a JSON array.",
  reason: "The driver fails on a text that is not JSON, and takes other JSON for an empty list.",
  severity: always("error"),
  examples: {
    wrong: "root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: \"['a', 'b']\"}}}}}}",
    right: "root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '[\"a\"]'}}}}}}",
  },
  *check(index) {
    const hint = `write a JSON array, such as ["a", "b"]`;
    for (const { list, ...finding } of wrongLists(index.once(itemLists), notItems)) {
      if (!list.isDefault) yield { ...finding, hint };
    }
  },
};

const itemsType: Rule = {
  id: "iterator-items-type",
  summary: "Items that are written down are of the type of the input that receives them.",
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
    for (const { list, ...finding } of wrongLists(index.once(itemLists), wrongItem)) {
      if (!list.isDefault) yield finding;
    }
  },
};

const itemsEmpty: Rule = {
  id: "iterator-items-empty",
  summary: "A list of items that is written down is not empty.",
  reason: "The loop runs nothing; the compiler refuses such a loop.",
  severity: underKfp("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '[]'}}}}}}",
    right: "root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '[\"a\"]'}}}}}}",
  },
  *check(index) {
    for (const { at, items, within, isDefault } of index.once(itemLists)) {
      // A list among others may be empty, and so may a default.
      if (items?.length === 0 && within === "" && !isDefault) yield { at, message: "there are no items" };
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

const defaultItems: Rule = {
  id: "default-items-wrong",
  summary: "The default of an input that a loop goes over is a list of items for that loop.",
  reason: "A run without a value fails when the loop, or an iteration of it, is to start.",
  severity: underKfp("warning"),
  examples: { wrong: overDefault("[1, b]"), right: overDefault("[1, 2]") },
  *check(index) {
    const wrong = (list: ItemList) => notItems(list) ?? wrongItem(list) ?? notLiteral(list);
    for (const { list, message, at } of wrongLists(index.once(itemLists), wrong)) {
      if (list.isDefault) yield { at, message: `by this default ${message}` };
    }
  },
};

/** A loop over an input of the pipeline with this default. */
function overDefault(items: string): string {
  return `
root:
  inputDefinitions: {parameters: {rows: {parameterType: LIST, defaultValue: ${items}}}}
  dag:
    tasks:
      prepare: {inputs: {parameters: {rows: {componentInputParameter: null, runtimeValue: {constant: 3}}}}}
      loop:
        inputs: {parameters: {rows: {componentInputParameter: rows}}}
        parameterIterator: {items: {raw: null, inputParameter: rows}}
components:
  comp-loop:
    inputDefinitions: {parameters: {rows: {parameterType: LIST}, item: {parameterType: NUMBER_INTEGER}}}
    dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: null, runtimeValue: {constant: x}}}}}}}
`;
}

/** Rules about what loops go over. */
export const iteratorItemsRules: RuleFamily = {
  title: "Items of iterators",
  appliesTo: (index) => index.once(iterations).length > 0,
  rules: [itemsUnknown, itemsInvalid, itemsType, defaultItems, itemsEmpty, itemsKind],
};
