/** A JSON value of a specification, read and changed freely. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Both documents of a file, as one value: pointers of the platform begin with `/platforms`. */
export type Document = JsonObject;

/** The way to a value. */
export type Path = readonly (string | number)[];

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value at a path. */
export function at(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((part, key) => {
    if (Array.isArray(part)) return part[Number(key)];
    return isObject(part) && Object.hasOwn(part, key) ? part[key] : undefined;
  }, value);
}

export const textAt = (value: Json | undefined, path: Path): string => {
  const found = at(value, path);
  return typeof found === "string" ? found : "";
};

/** The entries of the map at a path. */
export function entriesAt(value: Json | undefined, path: Path): [name: string, value: Json][] {
  const found = at(value, path);
  return isObject(found) ? Object.entries(found) : [];
}

/** The items of the list at a path. */
export function itemsAt(value: Json | undefined, path: Path): Json[] {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
}

/** One step of a change. */
export type Edit =
  | { readonly op: "set"; readonly path: Path; readonly value: Json }
  | { readonly op: "remove"; readonly path: Path }
  | { readonly op: "rename"; readonly path: Path; readonly to: string };

export const set = (path: Path, value: Json): Edit => ({ op: "set", path, value });
export const remove = (path: Path): Edit => ({ op: "remove", path });
export const rename = (path: Path, to: string): Edit => ({ op: "rename", path, to });

/** A changed copy. */
export function applyEdits(document: Document, edits: readonly Edit[]): Document {
  const copy = structuredClone(document);
  for (const edit of edits) {
    const key = edit.path.at(-1);
    if (key === undefined) throw new Error("an edit cannot replace the document");
    const parent = ensure(copy, edit.path.slice(0, -1));
    if (Array.isArray(parent)) {
      if (edit.op === "set") parent[Number(key)] = edit.value;
      else parent.splice(Number(key), 1);
    } else if (edit.op === "set") parent[key] = edit.value;
    else if (edit.op === "remove") delete parent[key];
    else renameKey(parent, String(key), edit.to);
  }
  return copy;
}

function ensure(value: JsonObject, path: Path): JsonObject | Json[] {
  let part: JsonObject | Json[] = value;
  for (const key of path) {
    const next: Json | undefined = at(part, [key]);
    if (isObject(next) || Array.isArray(next)) part = next;
    else if (isObject(part)) {
      const made: JsonObject = {};
      part[key] = made;
      part = made;
    } else throw new Error(`there is nothing at ${path.join("/")}`);
  }
  return part;
}

function renameKey(parent: JsonObject, from: string, to: string): void {
  const entries = Object.entries(parent);
  for (const [key] of entries) delete parent[key];
  for (const [key, value] of entries) parent[key === from ? to : key] = value;
}

/** A slip of the finger: two neighbouring letters swapped, or one left out. */
export function misspell(name: string, taken: Iterable<string> = []): string {
  const used = new Set([...taken, name]);
  for (let index = Math.floor(name.length / 2); index + 1 < name.length; index++) {
    const swapped = name.slice(0, index) + name[index + 1] + name[index] + name.slice(index + 2);
    if (!used.has(swapped)) return swapped;
  }
  let longer = `${name}x`;
  while (used.has(longer)) longer += "x";
  return longer;
}

/** Each document is looked through once for each question. */
function remembered<T>(find: (document: Document) => T): (document: Document) => T {
  const found = new WeakMap<Document, T>();
  return (document) => {
    const known = found.get(document) ?? find(document);
    found.set(document, known);
    return known;
  };
}

/** One component of a document: the root or a named one. */
export interface ComponentSite {
  readonly name: string | undefined;
  readonly path: Path;
  readonly value: JsonObject;
  readonly isDag: boolean;
}

export const components: (document: Document) => ComponentSite[] = remembered(findComponents);

function findComponents(document: Document): ComponentSite[] {
  const named = entriesAt(document, ["components"]).map(([name, value]) => ({
    name,
    path: ["components", name],
    value,
  }));
  return [{ name: undefined, path: ["root"], value: document.root ?? null }, ...named].flatMap(
    ({ name, path, value }) => (isObject(value) ? [{ name, path, value, isDag: isObject(value.dag) }] : []),
  );
}

export const componentOf = (document: Document, task: TaskSite): ComponentSite | undefined =>
  components(document).find(
    ({ name }) => name !== undefined && name === textAt(task.value, ["componentRef", "name"]),
  );

/** One task of a document. */
export interface TaskSite {
  readonly name: string;
  readonly path: Path;
  readonly value: JsonObject;
  readonly parent: ComponentSite;
}

export const tasks: (document: Document) => TaskSite[] = remembered(findTasks);

function findTasks(document: Document): TaskSite[] {
  return components(document).flatMap((parent) =>
    entriesAt(parent.value, ["dag", "tasks"]).flatMap(([name, value]) =>
      isObject(value) ? [{ name, path: [...parent.path, "dag", "tasks", name], value, parent }] : [],
    ),
  );
}

export const siblings = ({ parent }: TaskSite): TaskSite[] =>
  entriesAt(parent.value, ["dag", "tasks"]).flatMap(([name, value]) =>
    isObject(value) ? [{ name, path: [...parent.path, "dag", "tasks", name], value, parent }] : [],
  );

/** Every place that names an output of a task. */
export interface OutputUseSite {
  readonly kind: "parameters" | "artifacts";
  readonly producer: string;
  readonly key: string;
  readonly path: Path;
  readonly producerPath: Path;
  readonly keyPath: Path;
  readonly scope: ComponentSite;
  readonly consumer: TaskSite | undefined;
  /** The input or output that takes it. */
  readonly name: string;
}

export const outputUses: (document: Document) => OutputUseSite[] = remembered(findOutputUses);

function findOutputUses(document: Document): OutputUseSite[] {
  const uses: OutputUseSite[] = [];
  const add = (
    base: Pick<OutputUseSite, "kind" | "scope" | "consumer" | "name">,
    path: Path,
    from: string,
    key: string,
  ): void => {
    const [producer, output] = [textAt(document, [...path, from]), textAt(document, [...path, key])];
    if (producer === "") return;
    uses.push({
      ...base,
      producer,
      key: output,
      path,
      producerPath: [...path, from],
      keyPath: [...path, key],
    });
  };
  for (const task of tasks(document)) {
    const base = { scope: task.parent, consumer: task };
    for (const [name] of entriesAt(task.value, ["inputs", "parameters"])) {
      const path = [...task.path, "inputs", "parameters", name, "taskOutputParameter"];
      add({ ...base, kind: "parameters", name }, path, "producerTask", "outputParameterKey");
    }
    for (const [name] of entriesAt(task.value, ["inputs", "artifacts"])) {
      const path = [...task.path, "inputs", "artifacts", name, "taskOutputArtifact"];
      add({ ...base, kind: "artifacts", name }, path, "producerTask", "outputArtifactKey");
    }
  }
  for (const scope of components(document)) {
    const base = { scope, consumer: undefined };
    const outputs = [...scope.path, "dag", "outputs"];
    for (const [name] of entriesAt(document, [...outputs, "parameters"])) {
      const path = [...outputs, "parameters", name];
      add(
        { ...base, kind: "parameters", name },
        [...path, "valueFromParameter"],
        "producerSubtask",
        "outputParameterKey",
      );
      const oneof = [...path, "valueFromOneof", "parameterSelectors"];
      for (const index of itemsAt(document, oneof).keys()) {
        add(
          { ...base, kind: "parameters", name },
          [...oneof, index],
          "producerSubtask",
          "outputParameterKey",
        );
      }
    }
    for (const [name] of entriesAt(document, [...outputs, "artifacts"])) {
      const selectors = [...outputs, "artifacts", name, "artifactSelectors"];
      for (const index of itemsAt(document, selectors).keys()) {
        add(
          { ...base, kind: "artifacts", name },
          [...selectors, index],
          "producerSubtask",
          "outputArtifactKey",
        );
      }
    }
  }
  return uses;
}

/** The component of the task that gives an output. */
export function producerOf(document: Document, use: OutputUseSite): ComponentSite | undefined {
  const path = [...use.scope.path, "dag", "tasks", use.producer];
  const value = at(document, path);
  return isObject(value)
    ? componentOf(document, { name: use.producer, path, value, parent: use.scope })
    : undefined;
}

/** Containers of the deployment with their labels. */
export function containers(
  document: Document,
): { readonly label: string; readonly path: Path; readonly value: JsonObject }[] {
  return entriesAt(document, ["deploymentSpec", "executors"]).flatMap(([label, executor]) => {
    const value = at(executor, ["container"]);
    return isObject(value)
      ? [{ label, path: ["deploymentSpec", "executors", label, "container"], value }]
      : [];
  });
}
