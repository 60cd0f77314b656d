import {
  at,
  componentOf,
  components,
  entriesAt,
  isObject,
  itemsAt,
  misspell,
  outputUses,
  producerOf,
  remove,
  rename,
  set,
  siblings,
  tasks,
  textAt,
} from "./document.js";
import type { MutationKind } from "./mutation-kinds.js";

/** Mistakes in names that refer to something. */
export const referenceKinds: Readonly<Record<string, MutationKind>> = {
  *"a task renamed, its uses not"(document) {
    for (const task of tasks(document)) {
      const listed = siblings(task).flatMap((other) =>
        itemsAt(other.value, ["dependentTasks"]).flatMap((name, index) =>
          name === task.name ? [[...other.path, "dependentTasks", index]] : [],
        ),
      );
      const used = outputUses(document)
        .filter(({ scope, producer }) => scope.name === task.parent.name && producer === task.name)
        .map(({ producerPath }) => producerPath);
      const status = siblings(task).flatMap((other) =>
        entriesAt(other.value, ["inputs", "parameters"]).flatMap(([name, input]) =>
          textAt(input, ["taskFinalStatus", "producerTask"]) === task.name
            ? [[...other.path, "inputs", "parameters", name, "taskFinalStatus", "producerTask"]]
            : [],
        ),
      );
      const places = [...listed, ...used, ...status];
      if (places.length === 0) continue;
      const names = siblings(task).map(({ name }) => name);
      yield { edits: [rename(task.path, misspell(task.name, names))], places };
    }
  },
  *"a component renamed, its uses not"(document) {
    const names = components(document).flatMap(({ name }) => name ?? []);
    for (const { name, path } of components(document)) {
      if (name === undefined) continue;
      const uses = tasks(document).filter((task) => textAt(task.value, ["componentRef", "name"]) === name);
      if (uses.length === 0) continue;
      yield {
        edits: [rename(path, misspell(name, names))],
        places: uses.map((task) => [...task.path, "componentRef", "name"]),
      };
    }
  },
  *"an executor renamed, its uses not"(document) {
    const executors = entriesAt(document, ["deploymentSpec", "executors"]).map(([label]) => label);
    for (const label of executors) {
      const uses = components(document).filter(({ value }) => value.executorLabel === label);
      if (uses.length === 0) continue;
      const edits = [rename(["deploymentSpec", "executors", label], misspell(label, executors))];
      yield { edits, places: uses.map(({ path }) => [...path, "executorLabel"]) };
    }
  },
  *"a component reference misspelt"(document) {
    const names = components(document).flatMap(({ name }) => name ?? []);
    for (const task of tasks(document)) {
      const path = [...task.path, "componentRef", "name"];
      yield { edits: [set(path, misspell(textAt(document, path), names))], places: [path] };
    }
  },
  *"a component reference dropped"(document) {
    for (const task of tasks(document)) {
      yield { edits: [remove([...task.path, "componentRef"])], places: [[...task.path, "componentRef"]] };
    }
  },
  *"an executor label misspelt"(document) {
    const labels = entriesAt(document, ["deploymentSpec", "executors"]).map(([label]) => label);
    for (const { path, value } of components(document)) {
      const label = textAt(value, ["executorLabel"]);
      if (label === "") continue;
      yield {
        edits: [set([...path, "executorLabel"], misspell(label, labels))],
        places: [[...path, "executorLabel"]],
      };
    }
  },
  *"an executor label dropped"(document) {
    for (const { path, value } of components(document)) {
      if (textAt(value, ["executorLabel"]) === "") continue;
      yield { edits: [remove([...path, "executorLabel"])], places: [path] };
    }
  },
  *"a dependency misspelt"(document) {
    for (const task of tasks(document)) {
      const names = siblings(task).map(({ name }) => name);
      for (const [index, name] of itemsAt(task.value, ["dependentTasks"]).entries()) {
        const path = [...task.path, "dependentTasks", index];
        yield { edits: [set(path, misspell(String(name), names))], places: [path] };
      }
    }
  },
  *"a producer misspelt"(document) {
    for (const { producer, producerPath, scope } of outputUses(document)) {
      const names = entriesAt(scope.value, ["dag", "tasks"]).map(([name]) => name);
      yield { edits: [set(producerPath, misspell(producer, names))], places: [producerPath] };
    }
  },
  *"a producer that has no such output"(document) {
    for (const use of outputUses(document)) {
      for (const [name, value] of entriesAt(use.scope.value, ["dag", "tasks"])) {
        if (name === use.producer || name === use.consumer?.name || !isObject(value)) continue;
        const other = componentOf(document, { name, path: [], value, parent: use.scope });
        if (other === undefined || at(other.value, ["outputDefinitions", use.kind, use.key]) !== undefined)
          continue;
        yield { edits: [set(use.producerPath, name)], places: [use.producerPath, use.keyPath] };
        break;
      }
    }
  },
  *"an output key misspelt"(document) {
    for (const use of outputUses(document)) {
      const names = entriesAt(producerOf(document, use)?.value, ["outputDefinitions", use.kind]).map(
        ([name]) => name,
      );
      yield { edits: [set(use.keyPath, misspell(use.key, names))], places: [use.keyPath] };
    }
  },
  *"an output key dropped"(document) {
    for (const { keyPath } of outputUses(document)) yield { edits: [remove(keyPath)], places: [keyPath] };
  },
  *"an output declaration renamed"(document) {
    for (const component of components(document)) {
      if (component.isDag) continue;
      for (const kind of ["parameters", "artifacts"] as const) {
        const names = entriesAt(component.value, ["outputDefinitions", kind]).map(([name]) => name);
        for (const name of names) {
          const uses = outputUses(document).filter(
            (use) =>
              use.kind === kind && use.key === name && producerOf(document, use)?.name === component.name,
          );
          if (uses.length === 0 || component.name === undefined) continue;
          const label = textAt(component.value, ["executorLabel"]);
          const path = [...component.path, "outputDefinitions", kind, name];
          const executor = ["deploymentSpec", "executors", label];
          yield {
            edits: [rename(path, misspell(name, names))],
            places: [...uses.map(({ keyPath }) => keyPath), executor, path],
          };
        }
      }
    }
  },
  *"a parent input misspelt"(document) {
    for (const task of tasks(document)) {
      for (const [kind, field] of [
        ["parameters", "componentInputParameter"],
        ["artifacts", "componentInputArtifact"],
      ] as const) {
        const names = entriesAt(task.parent.value, ["inputDefinitions", kind]).map(([name]) => name);
        for (const [name, input] of entriesAt(task.value, ["inputs", kind])) {
          const source = textAt(input, [field]);
          if (source === "") continue;
          const path = [...task.path, "inputs", kind, name, field];
          yield { edits: [set(path, misspell(source, names))], places: [path] };
        }
      }
    }
  },
  *"an input declaration of a DAG dropped"(document) {
    for (const component of components(document)) {
      if (!component.isDag) continue;
      for (const [kind, field] of [
        ["parameters", "componentInputParameter"],
        ["artifacts", "componentInputArtifact"],
      ] as const) {
        for (const [name] of entriesAt(component.value, ["inputDefinitions", kind])) {
          const uses = tasks(document).flatMap((task) => {
            if (task.parent.name !== component.name) return [];
            return entriesAt(task.value, ["inputs", kind]).flatMap(([own, input]) =>
              textAt(input, [field]) === name ? [[...task.path, "inputs", kind, own, field]] : [],
            );
          });
          if (uses.length === 0 || uses.length > 4) continue;
          const loops = tasks(document).filter(
            (task) => textAt(task.value, ["componentRef", "name"]) === component.name,
          );
          const items = loops.map((task) => [...task.path, "parameterIterator", "itemInput"]);
          yield {
            edits: [remove([...component.path, "inputDefinitions", kind, name])],
            places: [...uses, ...items],
          };
        }
      }
    }
  },
  *"a task that waits for itself"(document) {
    for (const task of tasks(document)) {
      const count = itemsAt(task.value, ["dependentTasks"]).length;
      const path = [...task.path, "dependentTasks", count];
      const edits =
        count === 0 ? [set([...task.path, "dependentTasks"], [task.name])] : [set(path, task.name)];
      yield { edits, places: [path] };
    }
  },
  *"a cycle of tasks"(document) {
    for (const task of tasks(document)) {
      for (const name of itemsAt(task.value, ["dependentTasks"])) {
        const producer = siblings(task).find((other) => other.name === name);
        if (producer === undefined) continue;
        const count = itemsAt(producer.value, ["dependentTasks"]).length;
        const path = [...producer.path, "dependentTasks", count];
        const edits =
          count === 0 ? [set([...producer.path, "dependentTasks"], [task.name])] : [set(path, task.name)];
        yield { edits, places: [path, [...task.path, "dependentTasks"]] };
      }
    }
  },
  *"a component inside itself"(document) {
    for (const task of tasks(document)) {
      if (task.parent.name === undefined) continue;
      const path = [...task.path, "componentRef", "name"];
      yield { edits: [set(path, task.parent.name)], places: [path, task.path] };
    }
  },
};
