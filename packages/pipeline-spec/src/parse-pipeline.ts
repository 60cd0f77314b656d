import { DocumentProblems } from "./document-problems.js";
import type { MessageTypes } from "./gen/message-types.js";
import { isObject } from "./json-collection.js";
import { pathFromPointer, pointerFromPath } from "./json-pointer.js";
import type { Pipeline } from "./pipeline.js";
import { findParts, type Part, type PipelineParts } from "./pipeline-parts.js";
import type { Problem, Severity } from "./problem.js";
import { readMessage } from "./read-json.js";
import { Reading, type ReadOptions, readLimits } from "./reading.js";
import { SourceDocuments } from "./source-documents.js";
import { isLarger, parseDocuments, reportBinary, textOf } from "./source-text.js";
import type { SpecProblemCode } from "./spec-problem-code.js";

/** How strictly and how far a pipeline file is read. */
export interface ParseOptions extends ReadOptions {
  /** How many bytes of UTF-8 a text may have: 32 MiB by default, as the API server allows. */
  readonly maxBytes?: number;
  /** How many tokens a YAML text may have: 3,000,000 by default, which is about 8 MB of ordinary YAML. */
  readonly maxTokens?: number;
  /** How many values the aliases of a YAML document may stand for: 1,000,000 by default. */
  readonly maxAliasedValues?: number;
}

/** What came of parsing a pipeline file; a success may still come with warnings and remarks. */
export type ParseResult =
  | { readonly ok: true; readonly pipeline: Pipeline; readonly problems: readonly Problem[] }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      /** What could be read all the same, without what is wrong: for tools that want to look further. */
      readonly partial?: Pipeline;
    };

type Limits = ReturnType<typeof limitsOf>;

function limitsOf(options: ParseOptions) {
  const { maxBytes = 32 * 1024 * 1024, maxTokens = 3_000_000, maxAliasedValues = 1_000_000 } = options;
  return { ...readLimits(options), maxBytes, maxTokens, maxAliasedValues };
}

/**
 * Reads a pipeline file: YAML with a specification and possibly a platform specification, or JSON; a PipelineSpec, a
 * PipelineJob around one, `{ pipelineSpec, platformSpec }` as the API has it, or a Kubernetes PipelineVersion. It never
 * throws for what a file holds: everything that is wrong with it is a problem with a place.
 */
export function parsePipeline(input: string | Uint8Array, options: ParseOptions = {}): ParseResult {
  if (typeof input !== "string" && !ArrayBuffer.isView(input)) {
    throw new TypeError("parsePipeline takes the text or the bytes of a file");
  }
  const limits = limitsOf(options);
  const tooLarge = isLarger(input, limits.maxBytes);
  const { text, decodes } = tooLarge ? { text: "", decodes: true } : textOf(input);
  const problems = new DocumentProblems(text, limits.maxProblems);
  let pipeline: Pipeline | undefined;
  if (tooLarge) {
    const message = `the text has more than ${limits.maxBytes} bytes`;
    problems.error("too-large", [], message, [0, 0], "raise the limit maxBytes");
  } else if (decodes) {
    pipeline = parseText(text, limits, options, problems);
  } else {
    reportBinary(text, text.indexOf("\ufffd"), problems);
  }
  const list = problems.list();
  if (pipeline === undefined) return { ok: false, problems: list };
  return problems.failed
    ? { ok: false, problems: list, partial: pipeline }
    : { ok: true, pipeline, problems: list };
}

function parseText(
  text: string,
  limits: Limits,
  options: ReadOptions,
  problems: DocumentProblems,
): Pipeline | undefined {
  const documents = parseDocuments(text, limits, problems);
  if (documents.length === 0 && !problems.failed) {
    problems.error("empty", [], "there is no document in this text", [0, 0]);
  }
  const parts = findParts(documents, problems);
  const pipeline = readParts(parts, problems, options);
  if (pipeline === undefined) return undefined;
  const sources = new SourceDocuments(text, limits, documents);
  const indexOf = (part: Part | undefined) => (part === undefined ? -1 : documents.indexOf(part.document));
  return {
    ...pipeline,
    locate: locator(sources, indexOf(parts.spec), indexOf(parts.platform), pipeline.specPath, problems),
  };
}

function readParts(
  parts: PipelineParts,
  problems: DocumentProblems,
  options: ReadOptions,
): Omit<Pipeline, "locate"> | undefined {
  const read = <N extends keyof MessageTypes>(name: N, part: Part | undefined, unknown?: Severity) =>
    part === undefined ? undefined : readPart(name, part, problems, options, unknown);
  const job = read("PipelineJob", parts.job);
  const spec = read("PipelineSpec", parts.spec);
  // The back end reads executors without minding unknown fields, which platforms may add.
  const deployment = read("PipelineDeploymentConfig", deploymentPart(parts.spec), "warning");
  const platform = read("PlatformSpec", parts.platform);
  if (parts.spec === undefined || spec === undefined) {
    if (!problems.failed) {
      const at = parts.platform?.document.spanOf([], "value") ?? [0, 0];
      problems.error("no-specification", [], "there is no pipeline specification in this file", [
        at[0],
        at[0],
      ]);
    }
    return undefined;
  }
  return {
    spec,
    deployment: deployment ?? { executors: {} },
    platform,
    job,
    specPath: pointerFromPath(parts.spec.path),
    platformPath: pointerFromPath(parts.platform?.path ?? []),
  };
}

/** Problems with a name, rather than with what stands under it. */
const aboutKeys: ReadonlySet<string> = new Set<SpecProblemCode>([
  "unknown-field",
  "duplicate-field",
  "deprecated-field",
  "oneof-conflict",
  "invalid-map-key",
]);

function readPart<N extends keyof MessageTypes>(
  name: N,
  { document, path }: Part,
  problems: DocumentProblems,
  options: ReadOptions,
  unknownFields: Severity = "error",
): MessageTypes[N] | undefined {
  const reading = new Reading(options);
  reading.path.push(...path);
  if (!options.ignoreUnknownFields) reading.unknownFields = unknownFields;
  reading.exactInteger = (at) => document.exactInteger(at.map(String));
  const message = readMessage(name, valueAt(document.value, path), reading);
  for (const problem of reading.problems) {
    const part = aboutKeys.has(problem.code) ? "key" : "value";
    problems.found(problem, () => document.spanOf(pathFromPointer(problem.path), part));
  }
  return message;
}

function deploymentPart(spec: Part | undefined): Part | undefined {
  if (spec === undefined) return undefined;
  const value = valueAt(spec.document.value, spec.path);
  const name = ["deploymentSpec", "deployment_spec"].find((key) => isObject(value) && isObject(value[key]));
  return name === undefined ? undefined : { document: spec.document, path: [...spec.path, name] };
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), root);
}

/** Keeps hold of the text only, not of the documents, which are large. */
function locator(
  sources: SourceDocuments,
  spec: number,
  platform: number,
  specPath: string,
  problems: DocumentProblems,
): Pipeline["locate"] {
  return (pointer, part = "value") => {
    const path = pathFromPointer(pointer);
    const ofPlatform = platform !== -1 && platform !== spec && path[0] === "platforms";
    const document = sources.get(ofPlatform ? platform : spec);
    const fromRoot = ofPlatform || document.has(path.slice(0, 1));
    return problems.range(document.spanOf(fromRoot ? path : [...pathFromPointer(specPath), ...path], part));
  };
}
