import { readApiRun } from "./api-run.js";
import { DocumentProblems } from "./document-problems.js";
import { formHint } from "./form-hints.js";
import type { MessageTypes } from "./gen/message-types.js";
import { isLarger } from "./is-larger.js";
import { pathFromPointer, pointer } from "./json-pointer.js";
import { isObject } from "./json-value.js";
import { type Locator, withPlaces } from "./locate.js";
import { checkParseOptions, type ParseOptions } from "./parse-options.js";
import type { Pipeline } from "./pipeline.js";
import { findParts, type Part, type PipelineParts } from "./pipeline-parts.js";
import type { Problem, Severity } from "./problem.js";
import type { ProblemCounts } from "./problem-list.js";
import { readMessage } from "./read-json.js";
import { Reading, type ReadOptions, readLimits } from "./reading.js";
import { parseDocuments, reportBinary, textOf } from "./source-text.js";
import type { SpecProblemCode } from "./spec-problem-code.js";
import { valueAt } from "./value-at.js";
import { vertexFields, withoutVertexFields } from "./vertex-job.js";

/** What came of parsing a pipeline file; a success may still come with warnings and remarks. */
export type ParseResult =
  | {
      readonly ok: true;
      readonly pipeline: Pipeline;
      readonly problems: readonly Problem[];
      /** How many problems there are, listed or not. */
      readonly counts: ProblemCounts;
    }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      readonly counts: ProblemCounts;
      /**
       * What could be read all the same, without what is wrong, for tools that want to look further. A misspelt field is
       * read as the one that was most likely meant.
       */
      readonly partial?: Pipeline;
    };

type Limits = ReturnType<typeof limitsOf>;

const mebibyte = 1024 * 1024;

function limitsOf(options: ParseOptions) {
  const { maxBytes = 32 * mebibyte, maxTokens = 3_000_000, maxAliasedValues = 1_000_000 } = options;
  const { maxSlowBytes = mebibyte } = options;
  return { ...readLimits(options), maxBytes, maxTokens, maxSlowBytes, maxAliasedValues };
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
  checkParseOptions("parsePipeline", options);
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
  const found = { problems: problems.list(), counts: problems.counts };
  if (pipeline === undefined) return { ok: false, ...found };
  return problems.failed ? { ok: false, ...found, partial: pipeline } : { ok: true, ...found, pipeline };
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
  const misspelt = new Map<string, string>();
  const pipeline = readParts(parts, { problems, options, misspelt });
  if (pipeline === undefined || parts.spec === undefined) return undefined;
  const { places: spec } = parts.spec.document;
  const { places: platform } = (parts.platform ?? parts.spec).document;
  return withPlaces(pipeline, locator(parts.spec, parts.platform, { problems, misspelt }), {
    spec,
    platform,
  });
}

/** What the readings of the parts of a file have in common. */
interface FileReading {
  readonly problems: DocumentProblems;
  readonly options: ReadOptions;
  /** Misspelt fields, by the place that their right name would have. */
  readonly misspelt: Map<string, string>;
}

function readParts(parts: PipelineParts, file: FileReading): Pipeline | undefined {
  const { problems } = file;
  const read = <N extends keyof MessageTypes>(name: N, part: Part | undefined, unknown?: Severity) =>
    part === undefined ? undefined : readPart(name, part, file, unknown);
  const job = read("PipelineJob", parts.job);
  const vertex = parts.job && readValue(parts.job, file, vertexFields);
  const run = parts.run && readValue(parts.run, file, readApiRun);
  const spec = read("PipelineSpec", parts.spec);
  // The back end reads executors without minding unknown fields, which platforms may add.
  const deployment = read("PipelineDeploymentConfig", deploymentPart(parts.spec, spec, file), "warning");
  const platform = read("PlatformSpec", parts.platform);
  if (parts.spec === undefined || spec === undefined) {
    if (!problems.failed) {
      const at = parts.platform?.document.places().spanOf([], "value") ?? [0, 0];
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
    ...(vertex === undefined ? {} : { vertex }),
    ...(run === undefined ? {} : { run }),
    specPath: pointer("", ...parts.spec.path),
    platformPath: pointer("", ...(parts.platform?.path ?? [])),
  };
}

/** Problems with a name, rather than with what stands under it. */
const aboutKeys: ReadonlySet<string> = new Set<SpecProblemCode>([
  "unknown-field",
  "duplicate-field",
  "deprecated-field",
  "oneof-conflict",
  "invalid-map-key",
  "too-large",
]);

function readPart<N extends keyof MessageTypes>(
  name: N,
  part: Part,
  file: FileReading,
  unknownFields: Severity = "error",
): MessageTypes[N] | undefined {
  return readValue(part, file, (value, reading) => {
    if (!file.options.ignoreUnknownFields) reading.unknownFields = unknownFields;
    return readMessage(name, name === "PipelineJob" ? withoutVertexFields(value) : value, reading);
  });
}

/** Reads what stands at a place, and adds what is wrong with it to the problems of the file. */
function readValue<T>(
  { document, path, value = valueAt(document.value, path) }: Part,
  { problems, options, misspelt }: FileReading,
  read: (value: unknown, reading: Reading) => T,
): T {
  const reading = new Reading(options);
  reading.path.push(...path);
  reading.formHint = formHint;
  reading.exactInteger = (at) => document.places().exactInteger(at.map(String));
  const result = read(value, reading);
  problems.found(reading, ({ code, path: at }) =>
    document.places().spanOf(pathFromPointer(at), aboutKeys.has(code) ? "key" : "value"),
  );
  for (const [place, written] of reading.misspelt) misspelt.set(place, written);
  return result;
}

/** The executors, from what has been read of them: so they share their texts with it. */
function deploymentPart(
  spec: Part | undefined,
  read: MessageTypes["PipelineSpec"] | undefined,
  { misspelt }: FileReading,
): Part | undefined {
  if (spec === undefined) return undefined;
  const value = valueAt(spec.document.value, spec.path);
  const written = misspelt.get(pointer("", ...spec.path, "deploymentSpec")) ?? "";
  const names = ["deploymentSpec", "deployment_spec", written];
  const name = names.find((key) => isObject(value) && isObject(value[key]));
  if (name === undefined) return undefined;
  return { document: spec.document, path: [...spec.path, name], value: read?.deploymentSpec };
}

/** Keeps hold of the text and of the places in it, not of the values of the documents. */
function locator(
  spec: Part,
  platform: Part | undefined,
  { problems, misspelt }: Pick<FileReading, "problems" | "misspelt">,
): Locator {
  const ofSpec = spec.document.places;
  const ofPlatform = platform?.document.places ?? ofSpec;
  const specPath = spec.path;
  return (pointer, part) => {
    const path = pathFromPointer(pointer);
    const isPlatform = ofPlatform !== ofSpec && path[0] === "platforms";
    const places = isPlatform ? ofPlatform() : ofSpec();
    const fromRoot = isPlatform || places.has(path.slice(0, 1));
    const whole = fromRoot ? path : [...specPath, ...path];
    return problems.range(places.spanOf(asWritten(whole, misspelt), part));
  };
}

/** A path with the names that misspelt fields have in the file. */
function asWritten(path: readonly string[], misspelt: ReadonlyMap<string, string>): readonly string[] {
  if (misspelt.size === 0) return path;
  const written: string[] = [];
  for (const name of path) written.push(misspelt.get(pointer("", ...written, name)) ?? name);
  return written;
}
