import { type PipelineDraft, walkMessages } from "../src/index.js";

type Random = (below: number) => number;
type Path = readonly (string | number)[];

/** One change of one place. */
export interface SingleEdit {
  readonly kind: "set" | "delete" | "insert" | "rename";
  /** The entry or item, in the document of the specification; of what is inserted, where it comes to stand. */
  readonly path: Path;
  /** The new name. */
  readonly name?: string;
}

/** A place that can be changed. */
interface Place {
  readonly path: Path;
  readonly set?: (text: string) => void;
  readonly remove?: () => void;
  readonly insert?: (text: string) => void;
  readonly rename?: (name: string) => void;
}

const texts: readonly string[] = [
  "other",
  "new: v",
  "# c",
  "yes",
  "",
  "  lead",
  "trail ",
  "a\nb",
  "a\nb\n",
  "a\n# b\nc",
  "\tt",
  "it's",
  "x".repeat(200),
  "a #b",
  "---",
  "\n x\ny",
  "a\n\n",
];

/** Makes one change that looks random, and tells what it was; nothing when there is nothing to change in that way. */
export function singleEdit(draft: PipelineDraft, random: Random): SingleEdit | undefined {
  const kind = (["set", "delete", "insert", "rename"] as const)[random(4)] ?? "set";
  const change = { set: "set", delete: "remove", insert: "insert", rename: "rename" } as const;
  const places = [...placesIn(draft)].filter((place) => place[change[kind]] !== undefined);
  const place = places[random(places.length)];
  if (place === undefined) return undefined;
  // One text among others that is like none of them.
  const name = `new ${texts[random(texts.length)]}`.slice(0, 40);
  const text = `${kind === "insert" ? random(1000) : ""}${texts[random(texts.length)]}`;
  if (kind === "delete") place.remove?.();
  else if (kind === "rename") place.rename?.(name);
  else place[kind]?.(text);
  return { kind, path: place.path, name };
}

function* placesIn({ spec, deployment }: PipelineDraft): Generator<Place> {
  for (const { name, message, path } of [
    ...walkMessages("PipelineSpec", { ...spec, deploymentSpec: undefined }),
    ...walkMessages("PipelineDeploymentConfig", deployment, "/deploymentSpec"),
  ]) {
    const at = path.split("/").slice(1);
    if (name === "PipelineInfo" && message.name !== "") {
      yield { path: [...at, "name"], set: (text) => Object.assign(message, { name: text || "x" }) };
    } else if (name === "PipelineContainerSpec") {
      if (message.image !== "")
        yield { path: [...at, "image"], set: (text) => Object.assign(message, { image: text || "x" }) };
      yield* items([...at, "command"], message.command, (text) => text);
      yield* items([...at, "args"], message.args, (text) => text);
      yield* items([...at, "env"], message.env, (value) => ({ name: "NEW", value }));
      if (message.resources !== undefined && message.env.length + message.args.length > 0)
        yield { path: [...at, "resources"], remove: () => Object.assign(message, { resources: undefined }) };
    } else if (name === "PipelineTaskSpec") {
      yield* items([...at, "dependentTasks"], message.dependentTasks, (text) => text);
      for (const field of ["taskInfo", "componentRef", "inputs", "cachingOptions", "retryPolicy"] as const) {
        if (message[field] === undefined) continue;
        yield { path: [...at, field], remove: () => Object.assign(message, { [field]: undefined }) };
      }
      yield* entries([...at, "inputs", "parameters"], message.inputs?.parameters);
    } else if (name === "PipelineTaskInfo" && message.name !== "") {
      yield { path: [...at, "name"], set: (text) => Object.assign(message, { name: text || "x" }) };
    } else if (name === "DagSpec") {
      yield* entries([...at, "tasks"], message.tasks);
    } else if (name === "ComponentInputsSpec") {
      yield* entries([...at, "parameters"], message.parameters);
      yield* entries([...at, "artifacts"], message.artifacts);
    }
  }
  yield* entries(["components"], spec.components);
  yield* entries(["deploymentSpec", "executors"], deployment.executors);
}

/** Items of which there are no two alike, or nobody could say which is which. */
function* items<T>(path: Path, list: T[], itemOf: (text: string) => T): Generator<Place> {
  if (new Set(list.map((item) => JSON.stringify(item))).size < list.length) return;
  for (const [index, item] of list.entries()) {
    const place: Place = {
      path: [...path, index],
      insert: (text) => list.splice(index, 0, itemOf(text)),
    };
    if (list.length > 1) Object.assign(place, { remove: () => list.splice(index, 1) });
    if (typeof item === "string")
      Object.assign(place, { set: (text: string) => list.splice(index, 1, itemOf(`${text}-`)) });
    yield place;
  }
  if (list.length > 0) {
    yield { path: [...path, list.length], insert: (text) => list.push(itemOf(text)) };
  }
}

function* entries<T>(path: Path, map: { [name: string]: T } | undefined): Generator<Place> {
  const names = Object.keys(map ?? {});
  for (const name of names) {
    if (map === undefined || names.length < 2) continue;
    yield {
      path: [...path, name],
      remove: () => {
        delete map[name];
      },
      insert: (text) => {
        map[`new ${text}`.slice(0, 40)] = structuredClone(map[name]) as T;
      },
      rename: (other) => {
        map[other] = map[name] as T;
        delete map[name];
      },
    };
  }
}
