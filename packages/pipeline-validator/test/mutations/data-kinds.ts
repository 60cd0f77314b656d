import {
  at,
  componentOf,
  components,
  type Document,
  entriesAt,
  isObject,
  itemsAt,
  type Json,
  misspell,
  outputUses,
  type Path,
  producerOf,
  remove,
  rename,
  set,
  type TaskSite,
  tasks,
  textAt,
} from "./document.js";
import type { MutationKind } from "./mutation-kinds.js";

const wrongValues: Readonly<Record<string, Json>> = {
  STRING: null,
  NUMBER_INTEGER: "many",
  NUMBER_DOUBLE: "much",
  BOOLEAN: "yes",
  LIST: "a, b",
  STRUCT: "a: b",
};

const otherType = (type: string): string => (type === "STRING" ? "NUMBER_INTEGER" : "STRING");

const isRequired = (declared: Json): boolean =>
  isObject(declared) && declared.isOptional !== true && declared.defaultValue === undefined;

/** The input of a task with the declared input of its component. */
function* suppliedParameters(
  document: Document,
): Generator<{ task: TaskSite; name: string; input: Json; path: Path; declared: Json; declaredPath: Path }> {
  for (const task of tasks(document)) {
    const component = componentOf(document, task);
    for (const [name, input] of entriesAt(task.value, ["inputs", "parameters"])) {
      const declared = at(component?.value, ["inputDefinitions", "parameters", name]);
      if (component === undefined || declared === undefined) continue;
      const declaredPath = [...component.path, "inputDefinitions", "parameters", name];
      yield { task, name, input, declared, path: [...task.path, "inputs", "parameters", name], declaredPath };
    }
  }
}

/** Mistakes in inputs, outputs, types and values. */
export const dataKinds: Readonly<Record<string, MutationKind>> = {
  *"a required input dropped"(document) {
    for (const task of tasks(document)) {
      const component = componentOf(document, task);
      for (const kind of ["parameters", "artifacts"] as const) {
        for (const [name] of entriesAt(task.value, ["inputs", kind])) {
          const declared = at(component?.value, ["inputDefinitions", kind, name]);
          if (declared === undefined || !isRequired(declared)) continue;
          const path = [...task.path, "inputs", kind, name];
          const iterator = [...task.path, "parameterIterator"];
          yield {
            edits: [remove(path)],
            places: [path, [...task.path, "inputs"], [...task.path, "triggerPolicy"], iterator],
          };
        }
      }
    }
  },
  *"all inputs of a task dropped"(document) {
    for (const task of tasks(document)) {
      const component = componentOf(document, task);
      const supplied = [
        ...entriesAt(task.value, ["inputs", "parameters"]),
        ...entriesAt(task.value, ["inputs", "artifacts"]),
      ];
      const required = supplied.filter(([name]) => {
        const declared =
          at(component?.value, ["inputDefinitions", "parameters", name]) ??
          at(component?.value, ["inputDefinitions", "artifacts", name]);
        return declared !== undefined && isRequired(declared);
      });
      // One problem for each is right, so that only tasks with few inputs are of use here.
      if (required.length === 0 || required.length > 3) continue;
      yield { edits: [remove([...task.path, "inputs"])], places: [[...task.path, "inputs"]] };
    }
  },
  *"an input of a task misspelt"(document) {
    for (const { task, name, path, declared } of suppliedParameters(document)) {
      const names = entriesAt(task.value, ["inputs", "parameters"]).map(([other]) => other);
      const to = misspell(name, names);
      const places = [
        path,
        [...path.slice(0, -1), to],
        [...task.path, "triggerPolicy"],
        [...task.path, "parameterIterator"],
      ];
      yield { edits: [rename(path, to)], places, mayRun: !isRequired(declared) };
    }
  },
  *"an artifact input of a task misspelt"(document) {
    for (const task of tasks(document)) {
      const component = componentOf(document, task);
      for (const [name] of entriesAt(task.value, ["inputs", "artifacts"])) {
        const declared = at(component?.value, ["inputDefinitions", "artifacts", name]);
        if (declared === undefined) continue;
        const path = [...task.path, "inputs", "artifacts", name];
        const to = misspell(name);
        const places = [path, [...path.slice(0, -1), to], [...task.path, "artifactIterator"]];
        yield { edits: [rename(path, to)], places, mayRun: at(declared, ["isOptional"]) === true };
      }
    }
  },
  *"an input without source"(document) {
    for (const { path } of suppliedParameters(document)) yield { edits: [set(path, {})], places: [path] };
  },
  *"a parameter given as an artifact"(document) {
    for (const { task, name, path, declared, input } of suppliedParameters(document)) {
      const source = textAt(input, ["componentInputParameter"]);
      if (source === "" || !isRequired(declared)) continue;
      const other = [...task.path, "inputs", "artifacts", name];
      const edits = [remove(path), set(other, { componentInputArtifact: source })];
      yield { edits, places: [path, other, [...task.path, "inputs"]] };
    }
  },
  *"the sources of two inputs swapped"(document) {
    for (const task of tasks(document)) {
      const inputs = [...suppliedParameters(document)].filter(
        (one) => one.task.name === task.name && one.task.parent.name === task.parent.name,
      );
      const typed = inputs.filter(
        ({ input }) =>
          textAt(input, ["parameterExpressionSelector"]) === "" && typeOfSource(document, task, input) !== "",
      );
      for (const first of typed) {
        const second = typed.find(
          ({ input }) => typeOfSource(document, task, input) !== typeOfSource(document, task, first.input),
        );
        if (second === undefined) continue;
        yield {
          edits: [set(first.path, second.input), set(second.path, first.input)],
          places: [first.path, second.path],
        };
        break;
      }
    }
  },
  *"the type of an input changed"(document) {
    for (const { task, input, path, declared, declaredPath } of suppliedParameters(document)) {
      const type = textAt(declared, ["parameterType"]);
      const source = typeOfSource(document, task, input);
      if (textAt(input, ["parameterExpressionSelector"]) !== "" || source === "" || source !== type) continue;
      const component = componentOf(document, task);
      // Inside a DAG the new type would be a second mistake wherever the input is handed on.
      if (component?.isDag) continue;
      yield {
        edits: [set([...declaredPath, "parameterType"], otherType(type))],
        places: [path, declaredPath],
        // A text takes any value.
        mayRun: otherType(type) === "STRING",
      };
    }
  },
  *"the type of an output changed"(document) {
    for (const use of outputUses(document)) {
      const producer = producerOf(document, use);
      if (use.kind === "artifacts" || use.consumer === undefined || producer === undefined || producer.isDag)
        continue;
      const consumer = componentOf(document, use.consumer);
      const wanted = textAt(consumer?.value, ["inputDefinitions", "parameters", use.name, "parameterType"]);
      const path = [...producer.path, "outputDefinitions", "parameters", use.key, "parameterType"];
      const type = textAt(document, path);
      const selector = textAt(use.consumer.value, [
        "inputs",
        "parameters",
        use.name,
        "parameterExpressionSelector",
      ]);
      if (wanted !== type || selector !== "") continue;
      const uses = outputUses(document).filter(
        (other) => other.key === use.key && producerOf(document, other)?.name === producer.name,
      );
      if (uses.length > 4) continue;
      yield {
        edits: [set(path, otherType(type))],
        places: [...uses.map(({ path: place }) => place), path],
        mayRun: wanted === "STRING",
      };
    }
  },
  *"a constant of the wrong type"(document) {
    for (const { input, path, declared } of suppliedParameters(document)) {
      const type = textAt(declared, ["parameterType"]);
      const wrong = wrongValues[type];
      const place = [...path, "runtimeValue", "constant"];
      if (at(document, place) === undefined || wrong === undefined || !isObject(input)) continue;
      if (wrong === null && !isRequired(declared)) continue;
      yield { edits: [set(place, wrong)], places: [place] };
    }
  },
  *"a default of the wrong type"(document) {
    for (const component of components(document)) {
      for (const [name, declared] of entriesAt(component.value, ["inputDefinitions", "parameters"])) {
        if (!isObject(declared) || declared.defaultValue === undefined) continue;
        const type = textAt(declared, ["parameterType"]);
        // The back end makes text of every value where text is wanted.
        if (type === "STRING") continue;
        const path = [...component.path, "inputDefinitions", "parameters", name, "defaultValue"];
        yield { edits: [set(path, wrongValues[type] ?? "x")], places: [path] };
      }
    }
  },
  *"the type of a parameter dropped"(document) {
    for (const component of components(document)) {
      for (const side of ["inputDefinitions", "outputDefinitions"]) {
        for (const [name] of entriesAt(component.value, [side, "parameters"])) {
          const path = [...component.path, side, "parameters", name, "parameterType"];
          yield { edits: [remove(path)], places: [path] };
        }
      }
    }
  },
  *"a constant that is none of the literals"(document) {
    for (const { path, declaredPath, declared } of suppliedParameters(document)) {
      const place = [...path, "runtimeValue", "constant"];
      const value = at(document, place);
      if (
        typeof value !== "string" ||
        value.includes("{{$") ||
        textAt(declared, ["parameterType"]) !== "STRING"
      )
        continue;
      yield { edits: [set([...declaredPath, "literals"], ["another", "value"])], places: [place] };
    }
  },
  *"a literal of the wrong type"(document) {
    for (const component of components(document)) {
      for (const [name, declared] of entriesAt(component.value, ["inputDefinitions", "parameters"])) {
        const literals = at(declared, ["literals"]);
        if (!Array.isArray(literals)) continue;
        const path = [...component.path, "inputDefinitions", "parameters", name, "literals", 0];
        yield {
          edits: [set(path, textAt(declared, ["parameterType"]) === "STRING" ? 1 : "x")],
          places: [path],
        };
      }
    }
  },
  *"a list of artifacts for a single one"(document) {
    for (const use of outputUses(document)) {
      if (use.kind === "parameters" || use.consumer === undefined) continue;
      const component = componentOf(document, use.consumer);
      if (component === undefined || component.isDag) continue;
      const path = [...component.path, "inputDefinitions", "artifacts", use.name];
      if (at(document, path) === undefined) continue;
      const isList = at(document, [...path, "isArtifactList"]) === true;
      const uses = tasks(document).filter(
        (task) => textAt(task.value, ["componentRef", "name"]) === component.name,
      );
      const places = [path, ...uses.map((task) => [...task.path, "inputs", "artifacts", use.name])];
      yield { edits: [set([...path, "isArtifactList"], !isList)], places };
    }
  },
  *"an artifact of another type"(document) {
    for (const use of outputUses(document)) {
      if (use.kind === "parameters" || use.consumer === undefined) continue;
      const component = componentOf(document, use.consumer);
      const producer = producerOf(document, use);
      if (component === undefined || component.isDag || producer === undefined) continue;
      const path = [
        ...component.path,
        "inputDefinitions",
        "artifacts",
        use.name,
        "artifactType",
        "schemaTitle",
      ];
      const title = textAt(document, path);
      const source = textAt(producer.value, [
        "outputDefinitions",
        "artifacts",
        use.key,
        "artifactType",
        "schemaTitle",
      ]);
      if (title === "" || source === "system.Artifact") continue;
      const uses = tasks(document).filter(
        (task) => textAt(task.value, ["componentRef", "name"]) === component.name,
      );
      const places = [path, ...uses.map((task) => [...task.path, "inputs", "artifacts", use.name])];
      yield { edits: [set(path, source === "system.HTML" ? "system.Model" : "system.HTML")], places };
    }
  },
  *"an artifact without type"(document) {
    for (const component of components(document)) {
      for (const side of ["inputDefinitions", "outputDefinitions"]) {
        for (const [name] of entriesAt(component.value, [side, "artifacts"])) {
          const path = [...component.path, side, "artifacts", name, "artifactType"];
          yield { edits: [remove(path)], places: [path] };
        }
      }
    }
  },
  *"an output of a DAG renamed"(document) {
    for (const component of components(document)) {
      for (const kind of ["parameters", "artifacts"]) {
        for (const [name] of entriesAt(component.value, ["dag", "outputs", kind])) {
          const to = misspell(name);
          const path = [...component.path, "dag", "outputs", kind, name];
          yield { edits: [rename(path, to)], places: [[...path.slice(0, -1), to]] };
        }
      }
    }
  },
  *"an output of a DAG without source"(document) {
    for (const component of components(document)) {
      for (const kind of ["parameters", "artifacts"]) {
        for (const [name] of entriesAt(component.value, ["dag", "outputs", kind])) {
          const path = [...component.path, "dag", "outputs", kind, name];
          yield { edits: [set(path, {})], places: [path] };
        }
      }
    }
  },
  *"an output of a DAG dropped"(document) {
    for (const component of components(document)) {
      for (const kind of ["parameters", "artifacts"]) {
        for (const [name] of entriesAt(component.value, ["dag", "outputs", kind])) {
          const declared = [...component.path, "outputDefinitions", kind, name];
          const path = [...component.path, "dag", "outputs", kind, name];
          yield { edits: [remove(path)], places: [declared, path] };
        }
      }
    }
  },
  *"a branch of a one-of dropped"(document) {
    for (const component of components(document)) {
      for (const [name] of entriesAt(component.value, ["dag", "outputs", "parameters"])) {
        const path = [...component.path, "dag", "outputs", "parameters", name, "valueFromOneof"];
        const selectors = [...path, "parameterSelectors"];
        if (itemsAt(document, selectors).length === 2)
          yield { edits: [remove([...selectors, 1])], places: [path] };
      }
    }
  },
  *"an artifact type without namespace"(document) {
    for (const component of components(document)) {
      if (component.isDag) continue;
      for (const [name] of entriesAt(component.value, ["outputDefinitions", "artifacts"])) {
        const uses = outputUses(document).filter(
          (use) => use.key === name && producerOf(document, use)?.name === component.name,
        );
        const path = [
          ...component.path,
          "outputDefinitions",
          "artifacts",
          name,
          "artifactType",
          "schemaTitle",
        ];
        const title = textAt(document, path);
        // What an importer makes is compared with its own type.
        const isImported = at(document, [
          "deploymentSpec",
          "executors",
          textAt(component.value, ["executorLabel"]),
          "importer",
        ]);
        if (uses.length > 0 || isImported !== undefined || !title.startsWith("system.")) continue;
        yield { edits: [set(path, title.replace("system.", ""))], places: [path] };
      }
    }
  },
  *"a branch of a one-of named twice"(document) {
    for (const component of components(document)) {
      for (const [name] of entriesAt(component.value, ["dag", "outputs", "parameters"])) {
        const path = [
          ...component.path,
          "dag",
          "outputs",
          "parameters",
          name,
          "valueFromOneof",
          "parameterSelectors",
        ];
        const [first, second] = itemsAt(document, path);
        if (first === undefined || second === undefined) continue;
        yield { edits: [set([...path, 1], first)], places: [[...path, 1]] };
      }
    }
  },
};

/** The declared type of the source of an input; empty when there is none. */
function typeOfSource(document: Document, task: TaskSite, input: Json): string {
  const own = textAt(input, ["componentInputParameter"]);
  if (own !== "") return textAt(task.parent.value, ["inputDefinitions", "parameters", own, "parameterType"]);
  const use = outputUses(document).find(
    (one) =>
      one.consumer?.name === task.name &&
      one.scope.name === task.parent.name &&
      at(task.value, ["inputs", "parameters", one.name]) === input,
  );
  const producer = use && producerOf(document, use);
  return use === undefined
    ? ""
    : textAt(producer?.value, ["outputDefinitions", "parameters", use.key, "parameterType"]);
}
