import {
  type ComponentNode,
  type ExecutorNode,
  isObject,
  type PipelineContainerSpec,
  type PipelineGraph,
  pointer,
  type TaskNode,
} from "@wye/pipeline-spec";
import { type PlaceholderReading, readPlaceholders } from "./read-placeholders.js";
import { hasScheme } from "./storage-uri.js";

/** Where a text with placeholders stands, which decides who expands them. */
export type PlaceholderSite =
  | "command"
  | "whole-text"
  | "env"
  | "constant"
  | "metadata"
  | "uri"
  | "custom-job";

/** A text of the specification that holds placeholders. */
export interface PlaceholderText extends PlaceholderReading {
  readonly site: PlaceholderSite;
  readonly at: string;
  readonly text: string;
  /** The executor that it belongs to. */
  readonly executor: ExecutorNode | undefined;
  /** Components that run the text: those of the executor. */
  readonly components: readonly ComponentNode[];
  /** The task whose constant it is. */
  readonly task: TaskNode | undefined;
}

/** All texts with placeholders. */
export function placeholderTexts(index: PipelineGraph): readonly PlaceholderText[] {
  const found: PlaceholderText[] = [];
  for (const executor of index.executors) addExecutorTexts(executor, found);
  for (const task of index.tasks) addConstantTexts(task, found);
  return found;
}

/** The beginning of a place, and what the texts there have in common. */
type Owner = Pick<PlaceholderText, "site" | "executor" | "components" | "task">;

/** A large file has so many texts that each takes no more than a look, and its place is written only where it has something. */
function addText(
  owner: Owner,
  list: string,
  key: string | number,
  text: string,
  found: PlaceholderText[],
): void {
  const read = readPlaceholders(text, owner.site === "command");
  if (read === undefined) return;
  const { placeholders, presenceChecks, hasConcat, problems } = read;
  const { site, executor, components, task } = owner;
  const at = key === "" ? list : `${list}/${key}`;
  found.push({
    placeholders,
    presenceChecks,
    hasConcat,
    problems,
    site,
    at,
    text,
    executor,
    components,
    task,
  });
}

function addExecutorTexts(executor: ExecutorNode, found: PlaceholderText[]): void {
  const { path, components } = executor;
  const { spec } = executor.spec;
  const ownerAt = (site: PlaceholderSite): Owner => ({ site, executor, components, task: undefined });
  switch (spec?.$case) {
    case "container":
      addContainerTexts(spec.value, `${path}/container`, ownerAt, found);
      return;
    case "importer":
      addStrings(ownerAt("metadata"), spec.value.metadata, `${path}/importer/metadata`, found);
      if (spec.value.artifactUri?.value?.$case === "constant") {
        const { value } = spec.value.artifactUri.value;
        // What has no scheme is refused, whatever else is in it.
        if (typeof value === "string" && hasScheme(value))
          addText(ownerAt("uri"), `${path}/importer/artifactUri/constant`, "", value, found);
      }
      return;
    case "customJob":
      addStrings(ownerAt("custom-job"), spec.value.customJob, `${path}/customJob/customJob`, found);
      return;
    default:
  }
}

function addConstantTexts(task: TaskNode, found: PlaceholderText[]): void {
  for (const { kind, spec, source } of task.inputs) {
    if (kind !== "parameter" || spec.kind?.$case !== "runtimeValue" || source?.kind !== "constant") continue;
    // The old typed values hold no placeholders.
    if (spec.kind.value.value?.$case !== "constant" || isPlain(source.value)) continue;
    const owner = { site: "constant", executor: undefined, components: [], task } as const;
    addStrings(owner, source.value, source.at, found);
  }
}

/** True for values that no text can be in. */
const isPlain = (value: unknown): boolean =>
  typeof value === "string" ? !value.includes("$") && !value.includes("{") : typeof value !== "object";

const amounts = [
  "resourceCpuLimit",
  "resourceCpuRequest",
  "resourceMemoryLimit",
  "resourceMemoryRequest",
] as const;

function addContainerTexts(
  { image, command, args, resources, env, lifecycle }: PipelineContainerSpec,
  at: string,
  ownerAt: (site: PlaceholderSite) => Owner,
  found: PlaceholderText[],
): void {
  const [whole, inCommand, inEnv] = [ownerAt("whole-text"), ownerAt("command"), ownerAt("env")];
  addText(whole, at, "image", image, found);
  addList(inCommand, `${at}/command`, command, found);
  addList(inCommand, `${at}/args`, args, found);
  for (const [position, { value }] of env.entries())
    addText(inEnv, `${at}/env`, `${position}/value`, value, found);
  const check = lifecycle?.preCacheCheck;
  addList(inCommand, `${at}/lifecycle/preCacheCheck/command`, check?.command ?? [], found);
  addList(inCommand, `${at}/lifecycle/preCacheCheck/args`, check?.args ?? [], found);
  if (resources === undefined) return;
  for (const field of amounts) addText(whole, `${at}/resources`, field, resources[field], found);
  const { resourceType = "", resourceCount = "" } = resources.accelerator ?? {};
  addText(whole, `${at}/resources/accelerator`, "resourceType", resourceType, found);
  addText(whole, `${at}/resources/accelerator`, "resourceCount", resourceCount, found);
}

function addList(owner: Owner, list: string, texts: readonly string[], found: PlaceholderText[]): void {
  for (let position = 0; position < texts.length; position++) {
    addText(owner, list, position, texts[position] ?? "", found);
  }
}

/** The texts inside a JSON value. The reader of the file bounds how deep it is. */
function addStrings(owner: Owner, value: unknown, at: string, found: PlaceholderText[]): void {
  if (typeof value === "string") addText(owner, at, "", value, found);
  else if (Array.isArray(value)) {
    for (const [position, item] of value.entries()) addStrings(owner, item, `${at}/${position}`, found);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) addStrings(owner, item, pointer(at, key), found);
  }
}

/** Tells which inputs placeholders refer to when a task runs: those of its executor and those in its constants. */
export function placeholderNames(index: PipelineGraph, task: TaskNode): (name: string) => boolean {
  const names = index.once(placeholderNamesOf);
  const own = names.get(task);
  const ofExecutor = task.component?.executor && names.get(task.component.executor);
  return (name) => own?.has(name) === true || ofExecutor?.has(name) === true;
}

/** The names in the placeholders of each executor, and of the constants of each task. */
function placeholderNamesOf(index: PipelineGraph): ReadonlyMap<object, ReadonlySet<string>> {
  const names = new Map<object, Set<string>>();
  for (const { executor, task, placeholders, presenceChecks } of index.once(placeholderTexts)) {
    const owner = executor ?? task;
    if (owner === undefined) continue;
    const known = names.get(owner) ?? new Set();
    names.set(owner, known);
    for (const { placeholder } of placeholders) if ("name" in placeholder) known.add(placeholder.name);
    for (const { name } of presenceChecks) known.add(name);
  }
  return names;
}
