import {
  at,
  components,
  entriesAt,
  isObject,
  type Json,
  misspell,
  type Path,
  remove,
  rename,
  set,
  tasks,
  textAt,
} from "./document.js";
import type { MutationKind } from "./mutation-kinds.js";

/** Parts whose keys are names or free data: their keys can be anything. */
const free = new Set([
  ...[
    "components",
    "tasks",
    "parameters",
    "artifacts",
    "executors",
    "platforms",
    "metadata",
    "constant",
    "defaultValue",
  ],
  ...["outputArtifactQueries", "labels", "annotations", "pvcSpecPatch", "customJob", "deploymentSpec"],
]);

/** Every field of the specification, by the key that leads to it. */
function* fields(value: Json, path: Path = []): Generator<{ path: Path; value: Json }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* fields(item, [...path, index]);
    return;
  }
  if (!isObject(value)) return;
  const parent = String(path.at(-1) ?? "");
  if (["metadata", "constant", "defaultValue", "pvcSpecPatch", "platforms"].includes(parent)) return;
  for (const [key, item] of Object.entries(value)) {
    const own = [...path, key];
    if (!free.has(parent)) yield { path: own, value: item };
    yield* fields(item, own);
  }
}

const outside = (path: Path): boolean => path[0] !== "platforms";

/** Mistakes in the form of the file, and in what belongs to the pipeline as a whole. */
export const formKinds: Readonly<Record<string, MutationKind>> = {
  *"a misspelt field"(document) {
    for (const { path } of fields(document)) {
      const name = String(path.at(-1));
      const to = misspell(name);
      const place = [...path.slice(0, -1), to];
      if (outside(path)) yield { edits: [rename(path, to)], places: [place, path] };
    }
  },
  *"a text where an object belongs"(document) {
    for (const { path, value } of fields(document)) {
      if (isObject(value) && outside(path)) yield { edits: [set(path, "x")], places: [path] };
    }
  },
  *"an object where a list belongs"(document) {
    for (const { path, value } of fields(document)) {
      if (Array.isArray(value) && outside(path)) yield { edits: [set(path, { first: "x" })], places: [path] };
    }
  },
  *"a text where true or false belongs"(document) {
    for (const { path, value } of fields(document)) {
      if (typeof value === "boolean" && outside(path)) yield { edits: [set(path, "yes")], places: [path] };
    }
  },
  *"a misspelt type"(document) {
    for (const component of components(document)) {
      for (const side of ["inputDefinitions", "outputDefinitions"]) {
        for (const [name] of entriesAt(component.value, [side, "parameters"])) {
          const path = [...component.path, side, "parameters", name, "parameterType"];
          const type = textAt(document, path);
          if (type !== "") yield { edits: [set(path, misspell(type))], places: [path] };
        }
      }
    }
  },
  *"a component that is both"(document) {
    for (const { path, value, isDag } of components(document)) {
      const edits = isDag
        ? [set([...path, "executorLabel"], "exec-x")]
        : [set([...path, "dag"], { tasks: {} })];
      if (isDag || value.executorLabel !== undefined)
        yield { edits, places: [path, [...path, "executorLabel"], [...path, "dag"]] };
    }
  },
  *"the root dropped"() {
    yield { edits: [remove(["root"])], places: [[]] };
  },
  *"a DAG without tasks"(document) {
    for (const { path, isDag } of components(document)) {
      if (!isDag || at(document, [...path, "dag", "outputs"]) !== undefined) continue;
      yield { edits: [set([...path, "dag", "tasks"], {})], places: [[...path, "dag"]] };
    }
  },
  *"the root an executor"(document) {
    const [label] = entriesAt(document, ["deploymentSpec", "executors"]).map(([name]) => name);
    if (label === undefined || at(document, ["root", "outputDefinitions"]) !== undefined) return;
    yield {
      edits: [remove(["root", "dag"]), set(["root", "executorLabel"], label)],
      places: [["root", "executorLabel"]],
    };
  },
  *"the name of the pipeline dropped"() {
    yield { edits: [remove(["pipelineInfo", "name"])], places: [["pipelineInfo"]] };
  },
  *"the name of the pipeline in capitals"() {
    yield { edits: [set(["pipelineInfo", "name"], "MY_PIPELINE!")], places: [["pipelineInfo", "name"]] };
  },
  *"an old schema version"() {
    yield { edits: [set(["schemaVersion"], "2.0.0")], places: [["schemaVersion"]] };
  },
  *"an input of the pipeline that only the system can fill"(document) {
    for (const [name] of entriesAt(document, ["root", "inputDefinitions", "parameters"])) {
      const used = tasks(document).some(
        (task) =>
          task.parent.name === undefined &&
          entriesAt(task.value, ["inputs", "parameters"]).some(
            ([, input]) => textAt(input, ["componentInputParameter"]) === name,
          ),
      );
      const path = ["root", "inputDefinitions", "parameters", name];
      if (!used) yield { edits: [set(path, { parameterType: "TASK_FINAL_STATUS" })], places: [path] };
    }
  },
};
