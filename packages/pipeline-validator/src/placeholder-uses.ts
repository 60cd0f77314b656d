import {
  type ComponentNode,
  type ExecutorNode,
  type ExecutorSpec,
  isObject,
  type PipelineContainerSpec,
  type PipelineGraph,
  pointer,
  type TaskNode,
} from "@wye/pipeline-spec";
import { type PlaceholderReading, readPlaceholders } from "./read-placeholders.js";

/** Where a text with placeholders stands, which decides who expands them. */
export type PlaceholderSite = "command" | "whole-text" | "env" | "constant" | "metadata" | "custom-job";

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
  const texts: PlaceholderText[] = [];
  for (const executor of index.executors) for (const text of executorTexts(executor)) texts.push(text);
  for (const task of index.tasks) for (const text of constantTexts(task)) texts.push(text);
  return texts;
}

function* executorTexts(executor: ExecutorNode): Generator<PlaceholderText> {
  const { components } = executor;
  for (const [site, list, key, text] of textsOf(executor.spec, executor.path)) {
    const read = readPlaceholders(text, site === "command");
    if (read === undefined) continue;
    const at = key === "" ? list : `${list}/${key}`;
    yield placed(read, { site, at, text, executor, components, task: undefined });
  }
}

/** A large file has so many texts that copies of them in loose objects would be felt. */
function placed(read: PlaceholderReading, place: Omit<PlaceholderText, keyof PlaceholderReading>) {
  const { placeholders, presenceChecks, hasConcat, problems } = read;
  const { site, at, text, executor, components, task } = place;
  return { placeholders, presenceChecks, hasConcat, problems, site, at, text, executor, components, task };
}

function* constantTexts(task: TaskNode): Generator<PlaceholderText> {
  for (const [name, { kind }] of Object.entries(task.spec.inputs?.parameters ?? {})) {
    const value = kind?.$case === "runtimeValue" ? kind.value.value : undefined;
    if (value?.$case !== "constant") continue;
    const base = `${pointer(`${task.path}/inputs/parameters`, name)}/runtimeValue/constant`;
    for (const [at, text] of strings(value.value, base)) {
      const read = readPlaceholders(text, false);
      const place = { site: "constant", at, text, executor: undefined, components: [], task } as const;
      if (read !== undefined) yield placed(read, place);
    }
  }
}

/** A text by the list or message that it stands in, and its place in there, which is `""` for a text by itself. */
type SitedText = readonly [site: PlaceholderSite, list: string, key: string | number, text: string];

function* textsOf({ spec }: ExecutorSpec, path: string): Generator<SitedText> {
  switch (spec?.$case) {
    case "container":
      yield* containerTexts(spec.value, `${path}/container`);
      return;
    case "importer":
      for (const [at, text] of strings(spec.value.metadata, `${path}/importer/metadata`))
        yield ["metadata", at, "", text];
      return;
    case "customJob":
      for (const [at, text] of strings(spec.value.customJob, `${path}/customJob/customJob`))
        yield ["custom-job", at, "", text];
      return;
    default:
  }
}

const amounts = [
  "resourceCpuLimit",
  "resourceCpuRequest",
  "resourceMemoryLimit",
  "resourceMemoryRequest",
] as const;

function* containerTexts(container: PipelineContainerSpec, at: string): Generator<SitedText> {
  const { image, command, args, resources, env, lifecycle } = container;
  yield ["whole-text", at, "image", image];
  yield* listTexts("command", `${at}/command`, command);
  yield* listTexts("command", `${at}/args`, args);
  for (const [position, { value }] of env.entries()) yield ["env", `${at}/env`, `${position}/value`, value];
  const check = lifecycle?.preCacheCheck;
  yield* listTexts("command", `${at}/lifecycle/preCacheCheck/command`, check?.command ?? []);
  yield* listTexts("command", `${at}/lifecycle/preCacheCheck/args`, check?.args ?? []);
  if (resources === undefined) return;
  for (const field of amounts) yield ["whole-text", `${at}/resources`, field, resources[field]];
  const { resourceType = "", resourceCount = "" } = resources.accelerator ?? {};
  yield ["whole-text", `${at}/resources/accelerator`, "resourceType", resourceType];
  yield ["whole-text", `${at}/resources/accelerator`, "resourceCount", resourceCount];
}

function* listTexts(site: PlaceholderSite, list: string, texts: readonly string[]): Generator<SitedText> {
  for (const [position, text] of texts.entries()) yield [site, list, position, text];
}

/** The texts inside a JSON value. The reader of the file bounds how deep it is. */
function* strings(value: unknown, at: string): Generator<readonly [at: string, text: string]> {
  if (typeof value === "string") yield [at, value];
  else if (Array.isArray(value)) {
    for (const [position, item] of value.entries()) yield* strings(item, `${at}/${position}`);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) yield* strings(item, pointer(at, key));
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
