import { didYouMean } from "@wye/pipeline-spec";
import type { TextSpan } from "../text-problem.js";
import { type ArtifactPart, type Placeholder, type RunFact, runFacts } from "./placeholder.js";

/** One step of the path between `{{$` and `}}`. */
export interface PathStep {
  readonly key: string;
  /** `.key`, `['key']`, `["key"]`, `[1]`, `('argument')` or `[` with something else. */
  readonly form: "dot" | "quoted" | "double-quoted" | "index" | "argument" | "bare";
  /** The key itself, without points, brackets and quotes. */
  readonly span: TextSpan;
}

/** The steps of a path and the place after the last one. */
export interface ScannedPath {
  readonly steps: readonly PathStep[];
  readonly end: number;
}

/** Paths are short: three to five steps, or some more into metadata. */
const maxSteps = 32;
/** Longest key. What is longer is text that happens to hold quotes. */
const maxKey = 1_024;

const step =
  /\.([\w-]+)|\['([^']{0,1024})'\]|\["([^"]{0,1024})"\]|\[(\d{1,4})\]|\('([^']{0,1024})'\)|\[([\w.-]{1,1024})\]/y;
const forms = ["dot", "quoted", "double-quoted", "index", "argument", "bare"] as const;

/** Reads steps from a place on, as many as there are. */
export function scanPath(text: string, start: number): ScannedPath {
  const steps: PathStep[] = [];
  let end = start;
  while (steps.length < maxSteps) {
    step.lastIndex = end;
    const match = step.exec(text);
    if (!match) break;
    const index = match.slice(1).findIndex((group) => group !== undefined);
    const key = match[index + 1] ?? "";
    const form = forms[index] ?? "bare";
    const before = form === "dot" || form === "index" || form === "bare" ? 1 : 2;
    if (key.length > maxKey) break;
    steps.push({ key, form, span: { start: end + before, end: end + before + key.length } });
    end += match[0].length;
  }
  return { steps, end };
}

/** What a path means, or why it means nothing. */
export type PathMeaning =
  | {
      readonly ok: true;
      readonly placeholder: Placeholder;
      readonly name?: TextSpan;
      readonly dotted: boolean;
    }
  | {
      readonly ok: false;
      readonly message: string;
      readonly hint?: string;
      /** It was meant as a placeholder: its beginning is one, or nearly. */
      readonly meant: boolean;
    };

const roots: readonly string[] = [
  ...["inputs", "outputs", "outputMetadataUri", "json_escape", "currentTime", "scheduledTime"],
  ...runFacts,
];

/** Finds out what a path means. */
export function meaningOf(steps: readonly PathStep[]): PathMeaning {
  const [root, ...rest] = steps;
  if (!root) return { ok: true, placeholder: { kind: "executor-input" }, dotted: false };
  const odd = steps.find(({ form }) => form === "double-quoted" || form === "bare");
  if (odd && roots.includes(root.key)) {
    return refuse(`the name ${odd.key} must stand in single quotes`, `write ['${odd.key}']`);
  }
  if (root.form === "dot") {
    if (root.key === "inputs") return inputMeaning(rest);
    if (root.key === "outputs") return outputMeaning(rest);
    const simple = simpleMeaning(root.key, rest);
    if (simple) return { ok: true, placeholder: simple, dotted: false };
  }
  if (roots.includes(root.key)) return refuse(`there is no placeholder of this form: ${root.key}`);
  const near = didYouMean(root.key, roots);
  const message = `there is no placeholder ${root.key}`;
  return near === undefined ? { ok: false, message, meant: false } : refuse(message, `did you mean ${near}?`);
}

function refuse(message: string, hint?: string): PathMeaning {
  return { ok: false, message, meant: true, ...(hint === undefined ? {} : { hint }) };
}

function simpleMeaning(root: string, rest: readonly PathStep[]): Placeholder | undefined {
  const [first, second, ...more] = rest;
  if (root === "json_escape") {
    return first?.form === "index" && !second ? { kind: "json-escape", depth: Number(first.key) } : undefined;
  }
  if (root === "currentTime" || root === "scheduledTime") {
    if (first?.key !== "strftime" || first.form !== "dot" || second?.form !== "argument" || more.length > 0)
      return undefined;
    return { kind: "time", time: root, format: second.key };
  }
  if (first) return undefined;
  if (root === "outputMetadataUri") return { kind: "output-file", old: true };
  const fact = runFacts.find((one): one is RunFact => one === root);
  return fact && { kind: "run-fact", fact };
}

function inputMeaning(steps: readonly PathStep[]): PathMeaning {
  const named = namedIn(steps, ["parameters", "artifacts"], "inputs");
  if ("ok" in named) return named;
  const { kind, name, rest, found } = named;
  if (kind === "artifacts") {
    const part = partOf(rest);
    if (typeof part === "string") return refuse(part, partHint(rest));
    return { ok: true, placeholder: { kind: "input-artifact", name, part }, ...found };
  }
  const [extra, depth, ...more] = rest;
  if (extra?.key === "json_escape" && extra.form === "dot" && depth?.form === "index" && more.length === 0) {
    const placeholder = { kind: "escaped-parameter", name, depth: Number(depth.key) } as const;
    return { ok: true, placeholder, ...found };
  }
  if (extra) return refuse(`a parameter has no ${extra.key}`, "the placeholder ends behind the name");
  return { ok: true, placeholder: { kind: "input-parameter", name }, ...found };
}

function outputMeaning(steps: readonly PathStep[]): PathMeaning {
  const [first, second] = steps;
  if (first?.key === "output_file" && first.form === "dot" && !second) {
    return { ok: true, placeholder: { kind: "output-file", old: false }, dotted: false };
  }
  const named = namedIn(steps, ["parameters", "artifacts", "output_file"], "outputs");
  if ("ok" in named) return named;
  const { kind, name, rest, found } = named;
  if (kind === "artifacts") {
    const part = partOf(rest);
    if (typeof part === "string") return refuse(part, partHint(rest));
    return { ok: true, placeholder: { kind: "output-artifact", name, part }, ...found };
  }
  const [file, ...more] = rest;
  const isFile = file?.key === "output_file" && file.form === "dot" && more.length === 0;
  if (kind !== "parameters" || !isFile) {
    return refuse(
      "of an output parameter only the file is known",
      `write .parameters['${name}'].output_file`,
    );
  }
  return { ok: true, placeholder: { kind: "output-parameter", name }, ...found };
}

/** An input or output that is named, and what follows its name. */
interface Named {
  readonly kind: string;
  readonly name: string;
  readonly rest: readonly PathStep[];
  readonly found: { readonly name: TextSpan; readonly dotted: boolean };
}

function namedIn(
  [kind, name, ...rest]: readonly PathStep[],
  kinds: readonly string[],
  of: string,
): Named | PathMeaning {
  const known = kinds.join(", ");
  if (!kind) return refuse(`${of} alone is no placeholder`, `known are: ${known}`);
  if (kind.form !== "dot" || !kinds.includes(kind.key)) {
    const near = didYouMean(kind.key, kinds);
    const hint = near === undefined ? `known are: ${known}` : `did you mean ${near}?`;
    return refuse(`${of} have no ${kind.key}`, hint);
  }
  if (name === undefined)
    return refuse(`the name behind ${of}.${kind.key} is missing`, `write .${kind.key}['name']`);
  if (!isName(name)) {
    return refuse(`the name ${name.key} must stand in brackets and single quotes`, `write ['${name.key}']`);
  }
  const found = { name: name.span, dotted: name.form === "dot" };
  return { kind: kind.key, name: name.key, rest, found };
}

/** Names stand in brackets and single quotes; some tools know them behind a point as well. */
const isName = ({ form }: PathStep): boolean => form === "quoted" || form === "dot";

/** What follows the name of an artifact; a text says what is wrong with it. */
function partOf([first, ...rest]: readonly PathStep[]): ArtifactPart | string {
  if (!first) return { kind: "whole" };
  const keys = rest.map(({ key }) => key);
  if (first.form !== "dot" || !rest.every(isName)) {
    return `an artifact has no ${[first.key, ...keys].join(".")} that is written so`;
  }
  if (first.key === "metadata") return { kind: "metadata", keys };
  if (first.key === "properties" && keys.length === 1 && keys[0] !== undefined) {
    return { kind: "property", key: keys[0] };
  }
  if (keys.length === 0 && (first.key === "uri" || first.key === "path" || first.key === "name")) {
    return { kind: first.key };
  }
  return `an artifact has no ${[first.key, ...keys].join(".")}`;
}

function partHint([first]: readonly PathStep[]): string {
  const parts = ["uri", "path", "name", "metadata", "properties"];
  const near = first && didYouMean(first.key, parts);
  return near === undefined || near === first?.key
    ? `known are: ${parts.join(", ")}`
    : `did you mean ${near}?`;
}
