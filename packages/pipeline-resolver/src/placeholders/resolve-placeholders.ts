import {
  type ArtifactList,
  checkArguments,
  checkOptions,
  describeValue,
  type ExecutorInput,
  isObject,
  type KnownOptions,
  ownEntry,
  PipelineSpecError,
  type RuntimeArtifact,
  writeJson,
} from "@wye/pipeline-spec";
import { isTooDeep, tooDeep } from "../json-depth.js";
import { renderJson, renderValue } from "../render-value.js";
import { containerPath } from "../values/container-path.js";
import { InsertionLimit, insertionLimitReached } from "./insertion-limit.js";
import {
  type PlaceholderProblem,
  type PlaceholderProblemCode,
  parsePlaceholders,
  type Template,
} from "./parse-placeholders.js";
import type { ArtifactPart, PlaceholderSegment, RunFact } from "./placeholder.js";

/** What is known about a run, under the names that placeholders use. */
export type RunFacts = { readonly [Fact in RunFact]?: string };

/** What a context may hold; one of a container may be used for the placeholders of a text as well. */
const knownContext: KnownOptions<PlaceholderContext & { readonly environment?: unknown }> = {
  executorInput: "any",
  facts: "any",
  pathOf: "any",
  environment: "any",
  unresolved: ["problem", "keep"],
};

/** Refuses what is no context. */
export function checkContext(caller: string, context: unknown): void {
  checkArguments(caller, "object", { context });
  // It is an object.
  const {
    executorInput,
    facts = {},
    environment = {},
    pathOf,
  } = context as Partial<PlaceholderContext> & {
    readonly environment?: unknown;
  };
  checkOptions(caller, context as object, knownContext as KnownOptions<object>);
  checkArguments(caller, "object", { "context.executorInput": executorInput, "context.facts": facts });
  checkArguments(caller, "object", { "context.environment": environment });
  if (pathOf !== undefined) checkArguments(caller, "function", { "context.pathOf": pathOf });
}

/** Where the values of placeholders come from. */
export interface PlaceholderContext {
  readonly executorInput: ExecutorInput;
  /** Facts about the run; placeholders for others are problems. */
  readonly facts?: RunFacts;
  /** The local path of an artifact; by default the one inside a container of the back end. */
  readonly pathOf?: (artifact: RuntimeArtifact) => string | undefined;
  /** What becomes of placeholders without a value: a problem (by default), or text that stays. */
  readonly unresolved?: "problem" | "keep";
}

/** A text with its placeholders filled in, or all reasons why not. */
export type ResolvedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly PlaceholderProblem[] };

/**
 * Fills in the placeholders of a text, all at once: what is inserted is never looked at again, so a value that holds `{{$` or
 * `$(` stays as it is. What only looks like a placeholder stays too.
 */
export function resolvePlaceholders(text: string | Template, context: PlaceholderContext): ResolvedText {
  if (typeof text !== "string" && !(isObject(text) && Array.isArray(text.segments))) {
    throw new TypeError(
      `resolvePlaceholders takes a text or what parsePlaceholders gives, not ${describeValue(text)}`,
    );
  }
  checkContext("resolvePlaceholders", context);
  const problems: PlaceholderProblem[] = [];
  const template = typeof text === "string" ? parsePlaceholders(text) : text;
  const segments = resolveSegments(template, context, problems, new InsertionLimit());
  const parts = segments.map(({ text: part }) => part);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, text: parts.join("") };
}

/** A stretch of a text, after filling in: as it was written, or a value. */
export interface ResolvedSegment {
  readonly text: string;
  readonly inserted: boolean;
}

/** Fills in placeholders and keeps apart what was written from what was inserted. */
export function resolveSegments(
  template: Template,
  context: PlaceholderContext,
  problems: PlaceholderProblem[],
  limit: InsertionLimit,
): readonly ResolvedSegment[] {
  return template.segments.map((segment) => {
    if (segment.kind === "literal") return { text: segment.text, inserted: false };
    const value = valueFor(segment, context);
    if (typeof value === "string") {
      if (limit.take(value)) return { text: value, inserted: true };
      const { span } = segment;
      problems.push({ code: "limit", severity: "error", span, message: insertionLimitReached });
      return { text: "", inserted: true };
    }
    if (context.unresolved === "keep") return { text: segment.text, inserted: true };
    problems.push({ severity: "error", span: segment.span, ...value });
    return { text: "", inserted: true };
  });
}

type Missing = { readonly code: PlaceholderProblemCode; readonly message: string };

const missing = (message: string): Missing => ({ code: "missing", message });
const unavailable = (message: string): Missing => ({ code: "unavailable", message });

function valueFor({ placeholder }: PlaceholderSegment, context: PlaceholderContext): string | Missing {
  const { executorInput, facts = {} } = context;
  const { inputs, outputs } = executorInput;
  switch (placeholder.kind) {
    case "executor-input":
      return written(() => writeJson("ExecutorInput", executorInput));
    case "input-parameter": {
      const value = ownEntry(inputs?.parameterValues, placeholder.name);
      if (value === undefined) return missing(`there is no input parameter ${placeholder.name}`);
      if (!isTooDeep(value)) return renderValue(value);
      return unavailable(`the input parameter ${placeholder.name} is ${tooDeep}`);
    }
    case "input-artifact": {
      const list = ownEntry(inputs?.artifacts, placeholder.name);
      return list
        ? partOf(list, placeholder, context)
        : missing(`there is no input artifact ${placeholder.name}`);
    }
    case "output-parameter": {
      const parameter = ownEntry(outputs?.parameters, placeholder.name);
      return parameter?.outputFile ?? missing(`there is no output parameter ${placeholder.name}`);
    }
    case "output-artifact": {
      const list = ownEntry(outputs?.artifacts, placeholder.name);
      return list
        ? partOf(list, placeholder, context)
        : missing(`there is no output artifact ${placeholder.name}`);
    }
    case "output-file":
      return outputs?.outputFile || missing("the executor input names no output file");
    case "run-fact":
      return facts[placeholder.fact] ?? unavailable(`${placeholder.fact} is not known here`);
    case "time":
      return unavailable(`${placeholder.time} is filled in by the server before a run starts`);
    case "escaped-parameter":
    case "json-escape":
      return unavailable("json_escape is known to the hosted service alone");
  }
}

/** Messages hold values of runs, which may be what JSON has no form for. */
function written(json: () => unknown): string | Missing {
  try {
    return renderJson(json());
  } catch (error) {
    if (!(error instanceof PipelineSpecError)) throw error;
    return unavailable(`the message cannot be written as JSON: ${error.message}`);
  }
}

function partOf(
  { artifacts }: ArtifactList,
  { name, part }: { readonly name: string; readonly part: ArtifactPart },
  { pathOf = containerPath }: PlaceholderContext,
): string | Missing {
  const [first] = artifacts;
  if (part.kind === "whole") {
    return written(() => {
      const all = artifacts.map((artifact) => writeJson("RuntimeArtifact", artifact));
      return all.length === 1 ? all[0] : all;
    });
  }
  if (!first) return missing(`the artifact ${name} is an empty list`);
  switch (part.kind) {
    case "uri":
    case "name":
      return first[part.kind];
    case "path":
      return pathOf(first) ?? unavailable(`the artifact ${name} has no local path: ${first.uri}`);
    default: {
      const keys = part.kind === "property" ? [part.key] : part.keys;
      const found = keys.reduce<unknown>(memberOf, metadataOf(first));
      return found === undefined
        ? missing(`the artifact ${name} has no metadata ${keys.join(".")}`)
        : renderValue(found);
    }
  }
}

/** The metadata with the properties of the two old forms below it. */
function metadataOf({ metadata, properties, customProperties }: RuntimeArtifact): Record<string, unknown> {
  const old = [...Object.entries(properties), ...Object.entries(customProperties)].map(([key, { value }]) => [
    key,
    value?.$case === "intValue" ? Number(value.value) : value?.value,
  ]);
  return { ...Object.fromEntries(old), ...metadata };
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}
