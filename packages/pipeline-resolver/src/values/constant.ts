import { ExecutorInput } from "@wye/pipeline-spec";
import { type InsertionLimit, insertionLimitReached } from "../placeholders/insertion-limit.js";
import {
  type PlaceholderProblem,
  parsePlaceholders,
  type Template,
} from "../placeholders/parse-placeholders.js";
import type { PlaceholderSegment } from "../placeholders/placeholder.js";
import { type RunFacts, resolveSegments } from "../placeholders/resolve-placeholders.js";
import { renderValue } from "../render-value.js";
import type { Artifacts } from "./task-values.js";

/** Where placeholders in constants get their values from. */
export interface ConstantContext {
  /** The value of another input of the same task: undefined when it has none, a text that says why when it cannot be had. */
  readonly parameter: (name: string) => { readonly value: unknown } | string;
  readonly artifacts: Artifacts;
  readonly facts: RunFacts;
  readonly limit: InsertionLimit;
}

/**
 * Fills in the placeholders of a constant, in keys and values at any depth: those for inputs of the task and for facts about the run. Others, such as
 * `{{$}}`, are not known before the task starts and stay. A text that is one placeholder for a parameter has its value with its
 * type. Problems are told as texts.
 */
export function resolveConstant(constant: unknown, context: ConstantContext, problems: string[]): unknown {
  if (typeof constant === "string") return resolveText(constant, context, problems);
  if (Array.isArray(constant)) return constant.map((item) => resolveConstant(item, context, problems));
  if (typeof constant !== "object" || constant === null) return constant;
  const entries = Object.entries(constant).map(
    ([key, value]) =>
      [renderValue(resolveText(key, context, problems)), resolveConstant(value, context, problems)] as const,
  );
  const resolved = Object.fromEntries(entries);
  if (Object.keys(resolved).length < entries.length) problems.push("two of its keys become the same");
  return resolved;
}

function resolveText(text: string, context: ConstantContext, problems: string[]): unknown {
  if (!text.includes("{{$")) return text;
  const template = knownNow(parsePlaceholders(text));
  const parameterValues = new Map<string, unknown>();
  for (const { placeholder } of placeholdersOf(template)) {
    if (placeholder.kind !== "input-parameter") continue;
    const found = context.parameter(placeholder.name);
    if (typeof found === "string") problems.push(found);
    else parameterValues.set(placeholder.name, found.value ?? null);
  }
  const [only, ...more] = template.segments;
  if (only?.kind === "placeholder" && more.length === 0 && only.placeholder.kind === "input-parameter") {
    const value = parameterValues.get(only.placeholder.name) ?? null;
    if (typeof value === "object" && !context.limit.takeAll(value)) problems.push(insertionLimitReached);
    return value;
  }
  if (problems.length > 0) return text;
  const executorInput = ExecutorInput.create({
    inputs: { parameterValues: Object.fromEntries(parameterValues), artifacts: context.artifacts },
  });
  const found: PlaceholderProblem[] = [];
  const segments = resolveSegments(template, { executorInput, facts: context.facts }, found, context.limit);
  problems.push(...new Set(found.map(({ message }) => message)));
  return found.length > 0 ? text : segments.map(({ text: part }) => part).join("");
}

/** The template with only those placeholders that have a value before the task starts. */
function knownNow(template: Template): Template {
  const segments = template.segments.map((segment) => {
    if (segment.kind === "literal") return segment;
    const { kind } = segment.placeholder;
    const known = kind === "input-parameter" || kind === "input-artifact" || kind === "run-fact";
    return known ? segment : ({ kind: "literal", text: segment.text, span: segment.span } as const);
  });
  return { ...template, segments };
}

const placeholdersOf = ({ segments }: Template): readonly PlaceholderSegment[] =>
  segments.filter((segment) => segment.kind === "placeholder");
