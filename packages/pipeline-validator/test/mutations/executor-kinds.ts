import {
  at,
  components,
  containers,
  type Document,
  entriesAt,
  isObject,
  itemsAt,
  misspell,
  type Path,
  remove,
  rename,
  set,
  tasks,
  textAt,
} from "./document.js";
import type { Mutation, MutationKind } from "./mutation-kinds.js";

/** Placeholders in commands and arguments of executors that some component runs. */
function placeholders(document: Document): { path: Path; text: string }[] {
  const used = new Set(components(document).map(({ value }) => value.executorLabel));
  return containers(document).flatMap(({ label, path, value }) => {
    if (!used.has(label)) return [];
    return ["command", "args"].flatMap((field) =>
      itemsAt(value, [field]).flatMap((text, index) =>
        typeof text === "string" && /\{\{\$\.(?:in|out)puts\./.test(text)
          ? [{ path: [...path, field, index], text }]
          : [],
      ),
    );
  });
}

const replaced = (change: (text: string) => string): MutationKind =>
  function* (document) {
    for (const { path, text } of placeholders(document)) {
      const other = change(text);
      if (other !== text) yield { edits: [set(path, other)], places: [path] };
    }
  };

const renamed = (section: RegExp): MutationKind =>
  replaced((text) => text.replace(section, (all, name: string) => all.replace(name, misspell(name))));

const importers = (document: Document): { label: string; path: Path }[] =>
  entriesAt(document, ["deploymentSpec", "executors"])
    .filter(([, executor]) => isObject(at(executor, ["importer"])))
    .map(([label]) => ({ label, path: ["deploymentSpec", "executors", label, "importer"] }));

const kubernetes: Path = ["platforms", "kubernetes", "deploymentSpec", "executors"];

/** Mistakes in executors and platform settings. */
export const executorKinds: Readonly<Record<string, MutationKind>> = {
  "a placeholder with a misspelt input parameter": renamed(/inputs\.parameters\['([^']+)'\]/),
  "a placeholder with a misspelt input artifact": renamed(/inputs\.artifacts\['([^']+)'\]/),
  "a placeholder with a misspelt output parameter": renamed(/outputs\.parameters\['([^']+)'\]/),
  "a placeholder with a misspelt output artifact": renamed(/outputs\.artifacts\['([^']+)'\]/),
  "a placeholder with one opening brace": replaced((text) => text.replace("{{$.", "{$.")),
  "a placeholder with one closing brace": replaced((text) =>
    text.includes("}}") ? text.replace("}}", "}") : text,
  ),
  "a placeholder with blanks": replaced((text) => text.replace("{{$.", "{{ $.").replace("}}", " }}")),
  "a placeholder in the singular": replaced((text) => text.replace(/\{\{\$\.(in|out)puts\./, "{{$$.$1put.")),
  "a placeholder with double quotes": replaced((text) =>
    text.startsWith('{"') ? text : text.replace(/\['([^']*)'\]/, '["$1"]'),
  ),
  "a placeholder with a dot for the name": replaced((text) => text.replace(/\['([^']*)'\]/, ".$1")),
  "a placeholder without the quotes": replaced((text) => text.replace(/\['([^']*)'\]/, "[$1]")),
  "a placeholder for a parameter that is an artifact": replaced((text) =>
    text.replace(/inputs\.artifacts(\['[^']*'\])\.(?:uri|path)\}\}/, "inputs.parameters$1}}"),
  ),
  "a placeholder for an artifact that is a parameter": replaced((text) =>
    text.replace(/inputs\.parameters(\['[^']*'\])\}\}/, "inputs.artifacts$1.uri}}"),
  ),
  "a placeholder with a misspelt property": replaced((text) =>
    text.replace(/\.(output_file|uri|path)\}\}/, (_, word: string) => `.${misspell(word)}}}`),
  ),
  "a placeholder with a value": replaced((text) =>
    text.replace(/(inputs\.parameters\['[^']*'\])\}\}/, "$1.value}}"),
  ),
  "a misspelt IfPresent": replaced((text) => text.replace('"InputName"', '"InputNam"')),
  *"an IfPresent that is not JSON"(document) {
    for (const { path, value } of containers(document)) {
      for (const field of ["command", "args"]) {
        for (const [index, text] of itemsAt(value, [field]).entries()) {
          if (typeof text !== "string" || !text.startsWith('{"IfPresent"')) continue;
          yield {
            edits: [set([...path, field, index], text.slice(0, -1))],
            places: [[...path, field, index]],
          };
        }
      }
    }
  },
  *"an image dropped"(document) {
    for (const { path } of containers(document))
      yield { edits: [remove([...path, "image"])], places: [path] };
  },
  *"an image with a placeholder in its midst"(document) {
    for (const { path } of containers(document)) {
      yield {
        edits: [set([...path, "image"], "python:{{$.pipeline_job_name}}")],
        places: [[...path, "image"]],
      };
    }
  },
  *"a container with nothing to run"(document) {
    for (const { path, value } of containers(document)) {
      if (value.command === undefined && value.args === undefined) continue;
      yield { edits: [remove([...path, "command"]), remove([...path, "args"])], places: [path] };
    }
  },
  *"an executor without container"(document) {
    for (const { path } of containers(document)) yield { edits: [remove(path)], places: [path.slice(0, -1)] };
  },
  *"a variable with a dash"(document) {
    for (const { path } of containers(document)) {
      yield {
        edits: [set([...path, "env"], [{ name: "LOG-LEVEL", value: "x" }])],
        places: [[...path, "env", 0, "name"]],
      };
    }
  },
  *"a variable that is set twice"(document) {
    for (const { path } of containers(document)) {
      const env = [
        { name: "A", value: "x" },
        { name: "A", value: "y" },
      ];
      yield { edits: [set([...path, "env"], env)], places: [[...path, "env", 1, "name"]] };
    }
  },
  *"an amount of memory in GB"(document) {
    for (const { path } of containers(document)) {
      const place = [...path, "resources", "resourceMemoryLimit"];
      yield { edits: [set(place, "2 GB")], places: [place] };
    }
  },
  *"a request above the limit"(document) {
    for (const { path } of containers(document)) {
      const resources = { resourceCpuLimit: "1", resourceCpuRequest: "1500m" };
      yield {
        edits: [set([...path, "resources"], resources)],
        places: [[...path, "resources", "resourceCpuRequest"]],
      };
    }
  },
  *"an accelerator without type"(document) {
    for (const { path } of containers(document)) {
      const place = [...path, "resources", "accelerator"];
      yield { edits: [set(place, { resourceCount: "1" })], places: [place] };
    }
  },
  *"an importer without URI"(document) {
    for (const { path } of importers(document))
      yield { edits: [remove([...path, "artifactUri"])], places: [path] };
  },
  *"an importer with a misspelt input"(document) {
    for (const { path } of importers(document)) {
      const place = [...path, "artifactUri", "runtimeParameter"];
      const name = textAt(document, place);
      if (name !== "") yield { edits: [set(place, misspell(name))], places: [place] };
    }
  },
  *"an importer without scheme"(document) {
    for (const { path } of importers(document)) {
      const place = [...path, "artifactUri", "constant"];
      const uri = textAt(document, place);
      if (uri !== "") yield { edits: [set(place, uri.replace(/^\w+:\/\//, ""))], places: [place] };
    }
  },
  *"an importer of another type"(document) {
    for (const { path } of importers(document)) {
      const place = [...path, "typeSchema", "schemaTitle"];
      const title = textAt(document, place);
      if (title === "" || title === "system.Artifact") continue;
      yield { edits: [set(place, "system.HTML")], places: [place] };
    }
  },
  *"an importer without output"(document) {
    for (const { label } of importers(document)) {
      for (const component of components(document)) {
        if (component.value.executorLabel !== label) continue;
        const uses = tasks(document).filter(
          (task) => textAt(task.value, ["componentRef", "name"]) === component.name,
        );
        if (uses.length > 1) continue;
        yield { edits: [remove([...component.path, "outputDefinitions"])], places: [component.path] };
      }
    }
  },
  *"a resolver with a bad filter"(document) {
    for (const { label, path } of importers(document)) {
      const component = components(document).find(({ value }) => value.executorLabel === label);
      const [output] = entriesAt(component?.value, ["outputDefinitions", "artifacts"]);
      if (output === undefined) continue;
      const executor = path.slice(0, -1);
      const resolver = {
        outputArtifactQueries: { [output[0]]: { filter: 'artifact_type="system.Dataset" OR state=LIVE' } },
      };
      const place = [...executor, "resolver", "outputArtifactQueries", output[0], "filter"];
      yield { edits: [remove(path), set([...executor, "resolver"], resolver)], places: [place] };
    }
  },
  *"a resolver with the wrong output"(document) {
    for (const { path } of importers(document)) {
      const executor = path.slice(0, -1);
      const resolver = { outputArtifactQueries: { another: { filter: "state=LIVE" } } };
      const place = [...executor, "resolver", "outputArtifactQueries", "another"];
      yield { edits: [remove(path), set([...executor, "resolver"], resolver)], places: [place] };
    }
  },
  *"settings of an unknown executor"(document) {
    const labels = entriesAt(document, kubernetes).map(([label]) => label);
    for (const label of labels) {
      const to = misspell(label, labels);
      yield { edits: [rename([...kubernetes, label], to)], places: [[...kubernetes, to]] };
    }
  },
  *"a misspelt setting"(document) {
    for (const [label, config] of entriesAt(document, kubernetes)) {
      for (const [field] of isObject(config) ? Object.entries(config) : []) {
        const to = misspell(field);
        yield { edits: [rename([...kubernetes, label, field], to)], places: [[...kubernetes, label, to]] };
      }
    }
  },
  *"a setting of the wrong type"(document) {
    for (const [label, config] of entriesAt(document, kubernetes)) {
      for (const [field, value] of isObject(config) ? Object.entries(config) : []) {
        if (!Array.isArray(value)) continue;
        yield { edits: [set([...kubernetes, label, field], "x")], places: [[...kubernetes, label, field]] };
      }
    }
  },
  *"a mount without its path"(document) {
    for (const [label, config] of entriesAt(document, kubernetes)) {
      for (const [field, value] of isObject(config) ? Object.entries(config) : []) {
        if (textAt(value, [0, "mountPath"]) === "") continue;
        const path = [...kubernetes, label, field, 0, "mountPath"];
        yield { edits: [remove(path)], places: [path] };
      }
    }
  },
  *"a mount path with a colon"(document) {
    for (const [label, config] of entriesAt(document, kubernetes)) {
      for (const [field, value] of isObject(config) ? Object.entries(config) : []) {
        if (textAt(value, [0, "mountPath"]) === "") continue;
        const path = [...kubernetes, label, field, 0, "mountPath"];
        yield { edits: [set(path, "/data:ro")], places: [path] };
      }
    }
  },
  *"an unknown pull policy"(document) {
    for (const [label] of entriesAt(document, kubernetes)) {
      const path = [...kubernetes, label, "imagePullPolicy"];
      yield { edits: [set(path, "IfNotPresents")], places: [path] };
    }
  },
  *"a secret without name"(document) {
    for (const [label] of entriesAt(document, kubernetes)) {
      const path = [...kubernetes, label, "imagePullSecret"];
      yield { edits: [set(path, [{}])], places: [[...path, 0]] };
    }
  },
  *"a setting from an unknown task"(document) {
    for (const [label, config] of entriesAt(document, kubernetes)) {
      const path = [
        ...kubernetes,
        label,
        "pvcMount",
        0,
        "pvcNameParameter",
        "taskOutputParameter",
        "producerTask",
      ];
      const name = textAt(document, path);
      if (name !== "" && isObject(config)) yield { edits: [set(path, misspell(name))], places: [path] };
    }
  },
  *"a misspelt platform"(document) {
    if (at(document, workspace) === undefined) yield* misspeltPlatforms(document);
  },
  *"a misspelt platform that has the workspace"(document) {
    const isUsed = workspaceUses(document).length > 0;
    if (at(document, workspace) !== undefined && isUsed) yield* misspeltPlatforms(document);
  },
  *"a workspace of no size"(document) {
    if (at(document, workspace) === undefined) return;
    yield { edits: [remove([...workspace, "size"])], places: [workspace] };
  },
  *"a workspace that is dropped"(document) {
    const places = workspaceUses(document);
    if (at(document, workspace) === undefined || places.length === 0) return;
    yield { edits: [remove(workspace)], places };
  },
};

const workspace: Path = ["platforms", "kubernetes", "pipelineConfig", "workspace"];

/** Where a pipeline makes use of its workspace. */
function workspaceUses(document: Document): readonly Path[] {
  const constants = tasks(document).flatMap((task) =>
    entriesAt(task.value, ["inputs", "parameters"]).flatMap(([name, input]) =>
      textAt(input, ["runtimeValue", "constant"]).includes("workspace_path")
        ? [[...task.path, "inputs", "parameters", name, "runtimeValue", "constant"]]
        : [],
    ),
  );
  const imports = importers(document).map(({ path: importer }) => [...importer, "downloadToWorkspace"]);
  return [...constants, ...imports.filter((place) => at(document, place) === true)];
}

function* misspeltPlatforms(document: Document): Generator<Mutation> {
  for (const [name] of entriesAt(document, ["platforms"])) {
    yield { edits: [rename(["platforms", name], misspell(name))], places: [["platforms", misspell(name)]] };
  }
}
