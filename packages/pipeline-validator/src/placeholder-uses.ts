import {
  type ComponentNode,
  type ExecutorNode,
  type ExecutorSpec,
  isObject,
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
  /** Components that run the text: those of the executor. */
  readonly components: readonly ComponentNode[];
  /** The task whose constant it is. */
  readonly task: TaskNode | undefined;
}

/** All texts with placeholders. */
export function placeholderTexts(index: PipelineGraph): readonly PlaceholderText[] {
  const texts: PlaceholderText[] = [];
  // A list of a large file is too long to be spread into arguments.
  for (const executor of index.executors) for (const text of executorTexts(executor)) texts.push(text);
  for (const task of index.tasks) for (const text of constantTexts(task)) texts.push(text);
  return texts;
}

function executorTexts(executor: ExecutorNode): PlaceholderText[] {
  const texts: PlaceholderText[] = [];
  for (const [site, at, text] of textsOf(executor.spec, executor.path)) {
    const read = readPlaceholders(text, site === "command");
    if (read !== undefined)
      texts.push({ ...read, site, at, text, components: executor.components, task: undefined });
  }
  return texts;
}

function constantTexts(task: TaskNode): PlaceholderText[] {
  const texts: PlaceholderText[] = [];
  for (const [name, { kind }] of Object.entries(task.spec.inputs?.parameters ?? {})) {
    const value = kind?.$case === "runtimeValue" ? kind.value.value : undefined;
    if (value?.$case !== "constant") continue;
    const base = `${pointer(`${task.path}/inputs/parameters`, name)}/runtimeValue/constant`;
    for (const [at, text] of strings(value.value, base)) {
      const read = readPlaceholders(text, false);
      if (read !== undefined) texts.push({ ...read, site: "constant", at, text, components: [], task });
    }
  }
  return texts;
}

type SitedText = readonly [site: PlaceholderSite, at: string, text: string];

function* textsOf({ spec }: ExecutorSpec, path: string): Generator<SitedText> {
  switch (spec?.$case) {
    case "container": {
      const { image, command, args, resources, env, lifecycle } = spec.value;
      const at = `${path}/container`;
      yield ["whole-text", `${at}/image`, image];
      for (const [position, text] of command.entries()) yield ["command", `${at}/command/${position}`, text];
      for (const [position, text] of args.entries()) yield ["command", `${at}/args/${position}`, text];
      for (const [position, { value }] of env.entries()) yield ["env", `${at}/env/${position}/value`, value];
      const check = lifecycle?.preCacheCheck;
      for (const [position, text] of check?.command.entries() ?? []) {
        yield ["command", `${at}/lifecycle/preCacheCheck/command/${position}`, text];
      }
      for (const [position, text] of check?.args.entries() ?? []) {
        yield ["command", `${at}/lifecycle/preCacheCheck/args/${position}`, text];
      }
      if (resources === undefined) return;
      for (const field of [
        "resourceCpuLimit",
        "resourceCpuRequest",
        "resourceMemoryLimit",
        "resourceMemoryRequest",
      ] as const) {
        yield ["whole-text", `${at}/resources/${field}`, resources[field]];
      }
      yield [
        "whole-text",
        `${at}/resources/accelerator/resourceType`,
        resources.accelerator?.resourceType ?? "",
      ];
      yield [
        "whole-text",
        `${at}/resources/accelerator/resourceCount`,
        resources.accelerator?.resourceCount ?? "",
      ];
      return;
    }
    case "importer":
      for (const [at, text] of strings(spec.value.metadata, `${path}/importer/metadata`))
        yield ["metadata", at, text];
      return;
    case "customJob":
      for (const [at, text] of strings(spec.value.customJob, `${path}/customJob/customJob`))
        yield ["custom-job", at, text];
      return;
    default:
  }
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
  const executor = task.component?.executor;
  const ofExecutor = executor && index.once(executorNames).get(executor);
  const own = namesIn(constantTexts(task));
  return (name) => own.has(name) || ofExecutor?.has(name) === true;
}

function executorNames({ executors }: PipelineGraph): ReadonlyMap<ExecutorNode, ReadonlySet<string>> {
  return new Map(executors.map((executor) => [executor, namesIn(executorTexts(executor))]));
}

function namesIn(texts: readonly PlaceholderText[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { placeholders, presenceChecks } of texts) {
    for (const { placeholder } of placeholders) if ("name" in placeholder) names.add(placeholder.name);
    for (const { name } of presenceChecks) names.add(name);
  }
  return names;
}
