import {
  at,
  componentOf,
  type Document,
  entriesAt,
  isObject,
  misspell,
  type Path,
  remove,
  set,
  siblings,
  type TaskSite,
  tasks,
  textAt,
} from "./document.js";
import type { MutationKind } from "./mutation-kinds.js";

/** Tasks with a condition on some input. */
function conditioned(document: Document): { task: TaskSite; path: Path; condition: string; name: string }[] {
  return tasks(document).flatMap((task) => {
    const condition = textAt(task.value, ["triggerPolicy", "condition"]);
    const name = /parameter_values\['([^']*)'\]/.exec(condition)?.[1];
    if (name === undefined) return [];
    return [{ task, path: [...task.path, "triggerPolicy", "condition"], condition, name }];
  });
}

/** Tasks that run once per item. */
function iterated(document: Document): { task: TaskSite; path: Path }[] {
  return tasks(document)
    .filter(({ value }) => isObject(value.parameterIterator))
    .map((task) => ({ task, path: [...task.path, "parameterIterator"] }));
}

/** Inputs that receive a final status. */
function statuses(document: Document): { task: TaskSite; name: string; path: Path; producer: string }[] {
  return tasks(document).flatMap((task) =>
    entriesAt(task.value, ["inputs", "parameters"]).flatMap(([name, input]) => {
      const producer = textAt(input, ["taskFinalStatus", "producerTask"]);
      return producer === ""
        ? []
        : [{ task, name, producer, path: [...task.path, "inputs", "parameters", name] }];
    }),
  );
}

const replaced = (change: (condition: string, name: string) => string): MutationKind =>
  function* (document) {
    for (const { path, condition, name } of conditioned(document)) {
      const other = change(condition, name);
      if (other !== condition) yield { edits: [set(path, other)], places: [path] };
    }
  };

/** Mistakes in conditions, loops, retries, selectors and final statuses. */
export const flowKinds: Readonly<Record<string, MutationKind>> = {
  "a condition on an input of another task": replaced((condition, name) =>
    condition.replaceAll(`['${name}']`, "['pipelinechannel--another-task-Output']"),
  ),
  "a condition with a misspelt input": replaced((condition, name) =>
    condition.replaceAll(`['${name}']`, `['${misspell(name)}']`),
  ),
  "a condition with one equals sign": replaced((condition) => condition.replace("==", "=")),
  "a condition without its closing quote": replaced((condition) => condition.replace("']", "]")),
  "a condition without its closing bracket": replaced((condition) => condition.replace("']", "'")),
  "a condition on the old parameters": replaced((condition) =>
    condition.replaceAll("parameter_values", "parameters"),
  ),
  "a condition with a misspelt field": replaced((condition) =>
    condition.replaceAll("parameter_values", "parameter_value"),
  ),
  "a condition with a field in camel case": replaced((condition) =>
    condition.replaceAll("parameter_values", "parameterValues"),
  ),
  "a condition with a misspelt variable": replaced((condition) => condition.replaceAll("inputs.", "input.")),
  "a condition in the operators of Python": replaced((condition) => `${condition} and true`),
  "a condition that is a number": replaced((_, name) => `int(inputs.parameter_values['${name}'])`),
  "a condition with a misspelt function": replaced((condition) => condition.replaceAll("int(", "integer(")),
  "a condition that compares a number with a text": replaced((condition) =>
    condition.replace(/(int\([^)]*\)) == (\d+)/, "$1 == '$2'"),
  ),
  "a condition on outputs": replaced((condition) =>
    condition.replaceAll("inputs.parameter_values", "outputs.parameters"),
  ),
  *"a condition that is not closed"(document) {
    for (const { path, condition } of conditioned(document)) {
      yield { edits: [set(path, `(${condition}`)], places: [path] };
    }
  },
  *"the input of a condition dropped"(document) {
    for (const { task, path, name } of conditioned(document)) {
      const input = [...task.path, "inputs", "parameters", name];
      if (at(document, input) === undefined) continue;
      yield { edits: [remove(input)], places: [path, input, [...task.path, "inputs"]] };
    }
  },
  *"a misspelt strategy"(document) {
    for (const task of tasks(document)) {
      const path = [...task.path, "triggerPolicy", "strategy"];
      const strategy = textAt(document, path);
      if (strategy !== "") yield { edits: [set(path, misspell(strategy))], places: [path] };
    }
  },
  *"a misspelt item input"(document) {
    for (const { task, path } of iterated(document)) {
      const names = entriesAt(componentOf(document, task)?.value, ["inputDefinitions", "parameters"]).map(
        ([name]) => name,
      );
      const item = textAt(document, [...path, "itemInput"]);
      const places = [[...path, "itemInput"], task.path];
      yield { edits: [set([...path, "itemInput"], misspell(item, names))], places };
    }
  },
  *"an item input dropped"(document) {
    for (const { task, path } of iterated(document)) {
      yield { edits: [remove([...path, "itemInput"])], places: [path, task.path] };
    }
  },
  *"an item input that is supplied as well"(document) {
    for (const { task, path } of iterated(document)) {
      const item = textAt(document, [...path, "itemInput"]);
      const input = [...task.path, "inputs", "parameters", item];
      const type = textAt(componentOf(document, task)?.value, [
        "inputDefinitions",
        "parameters",
        item,
        "parameterType",
      ]);
      const constants: Readonly<Record<string, number | string | boolean>> = {
        STRING: "x",
        NUMBER_INTEGER: 1,
        NUMBER_DOUBLE: 1,
        BOOLEAN: true,
      };
      const constant = constants[type];
      if (constant !== undefined)
        yield { edits: [set(input, { runtimeValue: { constant } })], places: [input] };
    }
  },
  *"a misspelt input with items"(document) {
    for (const { task, path } of iterated(document)) {
      const place = [...path, "items", "inputParameter"];
      const name = textAt(document, place);
      const names = entriesAt(task.value, ["inputs", "parameters"]).map(([other]) => other);
      if (name !== "") yield { edits: [set(place, misspell(name, names))], places: [place] };
    }
  },
  *"items dropped"(document) {
    for (const { path } of iterated(document)) yield { edits: [remove([...path, "items"])], places: [path] };
  },
  *"items that are not JSON"(document) {
    for (const { path } of iterated(document)) {
      const place = [...path, "items", "raw"];
      const raw = textAt(document, place);
      if (raw !== "") yield { edits: [set(place, raw.replace("]", ""))], places: [place] };
    }
  },
  *"items in the quotes of Python"(document) {
    for (const { path } of iterated(document)) {
      const place = [...path, "items", "raw"];
      const raw = textAt(document, place);
      if (raw.includes('"')) yield { edits: [set(place, raw.replaceAll('"', "'"))], places: [place] };
    }
  },
  *"items that are an object"(document) {
    for (const { path } of iterated(document)) {
      const place = [...path, "items", "raw"];
      const raw = textAt(document, place);
      if (raw !== "") yield { edits: [set(place, `{"items": ${raw}}`)], places: [place] };
    }
  },
  *"an item of the wrong type"(document) {
    for (const { task, path } of iterated(document)) {
      const place = [...path, "items", "raw"];
      const item = textAt(document, [...path, "itemInput"]);
      const type = textAt(componentOf(document, task)?.value, [
        "inputDefinitions",
        "parameters",
        item,
        "parameterType",
      ]);
      if (textAt(document, place) === "" || type === "STRING" || type === "") continue;
      yield { edits: [set(place, '["one", "two"]')], places: [place] };
    }
  },
  *"items from an input that is no list"(document) {
    for (const { task, path } of iterated(document)) {
      const place = [...path, "items", "inputParameter"];
      const name = textAt(document, place);
      const component = componentOf(document, task);
      if (name === "" || component === undefined) continue;
      const declared = [...component.path, "inputDefinitions", "parameters", name];
      const edits = [set([...declared, "parameterType"], "BOOLEAN")];
      yield { edits, places: [place, declared, [...task.path, "inputs", "parameters", name]] };
    }
  },
  *"a loop over nothing"(document) {
    for (const { path } of iterated(document)) {
      const place = [...path, "items", "raw"];
      if (textAt(document, place) !== "") yield { edits: [set(place, "[]")], places: [place] };
    }
  },
  *"an iterator on a container"(document) {
    for (const task of tasks(document)) {
      const component = componentOf(document, task);
      const [first] = entriesAt(component?.value, ["inputDefinitions", "parameters"]);
      if (component === undefined || component.isDag || first === undefined) continue;
      // An exit task that is a loop is another mistake.
      if (textAt(document, [...task.path, "triggerPolicy", "strategy"]) !== "") continue;
      const path = [...task.path, "parameterIterator"];
      const items = { raw: "[]" };
      const edits = [
        remove([...task.path, "inputs", "parameters", first[0]]),
        set(path, { items, itemInput: first[0] }),
      ];
      yield { edits, places: [path] };
    }
  },
  *"two iterators"(document) {
    for (const { task } of iterated(document)) {
      const path = [...task.path, "artifactIterator"];
      yield {
        edits: [set(path, { items: { inputArtifact: "x" }, itemInput: "y" })],
        places: [task.path, path, [...task.path, "parameterIterator"]],
      };
    }
  },
  *"a negative limit of parallelism"(document) {
    for (const { task } of iterated(document)) {
      const path = [...task.path, "iteratorPolicy", "parallelismLimit"];
      yield { edits: [set(path, -1)], places: [path] };
    }
  },
  *"a negative number of retries"(document) {
    for (const task of tasks(document)) {
      const path = [...task.path, "retryPolicy", "maxRetryCount"];
      yield { edits: [set(path, -2)], places: [path] };
    }
  },
  *"a delay without unit"(document) {
    for (const task of tasks(document)) {
      const path = [...task.path, "retryPolicy", "backoffDuration"];
      if (at(document, path) !== undefined) yield { edits: [set(path, "30")], places: [path] };
    }
  },
  *"a negative delay"(document) {
    for (const task of tasks(document)) {
      const path = [...task.path, "retryPolicy", "backoffDuration"];
      if (at(document, path) !== undefined) yield { edits: [set(path, "-30s")], places: [path] };
    }
  },
  *"a final status after success only"(document) {
    for (const { task } of statuses(document)) {
      const path = [...task.path, "triggerPolicy"];
      yield { edits: [remove(path)], places: [path, [...path, "strategy"]] };
    }
  },
  *"a final status of an unknown task"(document) {
    for (const { task, path, producer } of statuses(document)) {
      const place = [...path, "taskFinalStatus", "producerTask"];
      const names = siblings(task).map(({ name }) => name);
      yield { edits: [set(place, misspell(producer, names))], places: [place] };
    }
  },
  *"a final status without dependency"(document) {
    for (const { task, path } of statuses(document)) {
      yield {
        edits: [remove([...task.path, "dependentTasks"])],
        places: [[...path, "taskFinalStatus", "producerTask"]],
      };
    }
  },
  *"a final status for a text"(document) {
    for (const { task, name, path } of statuses(document)) {
      const component = componentOf(document, task);
      if (component === undefined || component.isDag) continue;
      const type = [...component.path, "inputDefinitions", "parameters", name, "parameterType"];
      yield { edits: [set(type, "STRING")], places: [path, type] };
    }
  },
  *"a selector with a misspelt member"(document) {
    for (const [path, text] of selectors(document)) {
      yield { edits: [set(path, text.replace("string_value", "string_vlaue"))], places: [path] };
    }
  },
  *"a selector with a misspelt function"(document) {
    for (const [path, text] of selectors(document)) {
      if (!text.includes("parseJson")) continue;
      yield { edits: [set(path, text.replace("parseJson", "parse_json"))], places: [path] };
    }
  },
  *"a selector that is not closed"(document) {
    for (const [path, text] of selectors(document)) {
      yield { edits: [set(path, text.slice(0, -1))], places: [path] };
    }
  },
};

function selectors(document: Document): [path: Path, text: string][] {
  return tasks(document).flatMap((task) =>
    entriesAt(task.value, ["inputs", "parameters"]).flatMap(([name, input]): [Path, string][] => {
      const text = textAt(input, ["parameterExpressionSelector"]);
      return text === ""
        ? []
        : [[[...task.path, "inputs", "parameters", name, "parameterExpressionSelector"], text]];
    }),
  );
}
