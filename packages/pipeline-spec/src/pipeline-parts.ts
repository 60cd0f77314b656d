import { type DocumentKind, documentKind, resembles } from "./document-kind.js";
import type { DocumentProblems } from "./document-problems.js";
import { camelCase, doubledFields } from "./field-spellings.js";
import { describeValue, isObject } from "./json-value.js";
import type { MisspeltField } from "./misspelt-field.js";
import type { SourceDocument } from "./source-document.js";
import { valueAt } from "./value-at.js";

/** A message in a document. */
export interface Part {
  readonly document: SourceDocument;
  readonly path: readonly string[];
  /** What stands there, when that has been read already. */
  readonly value?: unknown;
}

/** Where the messages of a pipeline file are. */
export interface PipelineParts {
  spec?: Part;
  platform?: Part;
  job?: Part;
  run?: Part;
}

/** Finds out what the documents of a file are, in whatever order they come. */
export function findParts(documents: readonly SourceDocument[], problems: DocumentProblems): PipelineParts {
  const parts: PipelineParts = {};
  const unknown: SourceDocument[] = [];
  const resources: { readonly document: SourceDocument; readonly name: string }[] = [];
  for (const document of documents) {
    const kind = documentKind(document.value);
    if (kind.kind === "resource") resources.push({ document, name: kind.name });
    else if (!addKnown(document, kind, parts, problems)) unknown.push(document);
  }
  for (const document of unknown) addUnknown(document, parts, problems);
  const isManifest = parts.spec !== undefined && isResource(parts.spec.document);
  for (const { document, name } of isManifest ? [] : resources) {
    const message = `this is a Kubernetes ${name} without a pipeline specification in it`;
    const hint = "of the resources of Kubernetes, a PipelineVersion has one, in spec.pipelineSpec";
    problems.error("not-a-pipeline", [], message, start({ document, path: [] }), hint);
  }
  const { spec, platform } = parts;
  if (
    spec !== undefined &&
    platform !== undefined &&
    documents.indexOf(platform.document) < documents.indexOf(spec.document)
  ) {
    const message =
      "the platform specification comes first, which the API server accepts and the Python SDK does not";
    problems.warning("document-order", [], message, start(platform), "put the pipeline specification first");
  }
  return parts;
}

/** True for what is applied to a cluster, one resource in each document of a file. */
function isResource({ value }: SourceDocument): boolean {
  return isObject(value) && typeof value.apiVersion === "string" && typeof value.kind === "string";
}

function addKnown(
  document: SourceDocument,
  kind: DocumentKind,
  parts: PipelineParts,
  problems: DocumentProblems,
): boolean {
  switch (kind.kind) {
    case "specification":
      // An empty map is no second pipeline to the API server, and an empty platform specification to the Python SDK.
      if (parts.spec !== undefined && isObject(document.value) && Object.keys(document.value).length === 0)
        return true;
      addPart(parts, "spec", { document, path: [] }, problems);
      return true;
    case "platform":
      addPart(parts, "platform", { document, path: [] }, problems);
      return true;
    case "job":
      if (kind.spec === undefined) {
        const message = "the job has no pipelineSpec";
        problems.error("no-specification", [], message, start({ document, path: [] }));
        return true;
      }
      parts.job ??= { document, path: [] };
      addPart(parts, "spec", { document, path: [kind.spec] }, problems);
      return true;
    case "bundle":
      for (const field of kind.misspelt) tellMisspelt(document, field, problems);
      if (!isResource(document)) tellDoubled(document, kind.spec, problems);
      if (kind.isRun && parts.spec === undefined) parts.run = { document, path: [] };
      addPart(parts, "spec", { document, path: kind.spec }, problems);
      if (kind.platform !== undefined)
        addPart(parts, "platform", { document, path: kind.platform }, problems);
      return true;
    case "refused":
      problems.error(kind.code, [], kind.message, start({ document, path: [] }), kind.hint);
      return true;
    default:
      return false;
  }
}

function tellMisspelt(
  document: SourceDocument,
  { path, meant, message, isValue = false }: MisspeltField,
  problems: DocumentProblems,
): void {
  const span = document.places().spanOf(path, isValue ? "value" : "key");
  const code = isValue ? "unknown-enum-value" : "unknown-field";
  problems.error(code, path, message, span, `did you mean "${meant}"?`);
}

/** Tells of fields around a specification that are there in both of their spellings. Kubernetes knows only one of them. */
function tellDoubled(document: SourceDocument, spec: readonly string[], problems: DocumentProblems): void {
  for (const depth of spec.keys()) {
    const around = spec.slice(0, depth);
    const value = valueAt(document.value, around);
    for (const name of isObject(value) ? doubledFields(value) : []) {
      const path = [...around, name];
      const message = `"${name}" and "${camelCase(name)}" are the same field`;
      problems.error("duplicate-field", path, message, document.places().spanOf(path, "key"));
    }
  }
}

/** A document with no known key at its top is read as what is missing, if it could be a misspelt one. */
function addUnknown(document: SourceDocument, parts: PipelineParts, problems: DocumentProblems): void {
  const { value } = document;
  if (!isObject(value)) {
    const message = `expected an object with the fields of a pipeline specification, got ${describeValue(value)}`;
    problems.error("not-a-pipeline", [], message, start({ document, path: [] }));
  } else if (parts.spec === undefined && resembles(value, "PipelineSpec", true)) {
    parts.spec = { document, path: [] };
  } else if (
    parts.spec !== undefined &&
    parts.platform === undefined &&
    resembles(value, "PlatformSpec", true)
  ) {
    parts.platform = { document, path: [] };
  } else {
    const message = "this is neither a pipeline specification nor a platform specification";
    const hint =
      "a pipeline specification has pipelineInfo, components, deploymentSpec and root; a platform specification has platforms";
    problems.error("not-a-pipeline", [], message, start({ document, path: [] }), hint);
  }
}

function addPart(
  parts: PipelineParts,
  name: "spec" | "platform",
  part: Part,
  problems: DocumentProblems,
): void {
  if (parts[name] === undefined) {
    parts[name] = part;
    return;
  }
  const [code, what] =
    name === "spec"
      ? (["several-pipelines", "pipeline"] as const)
      : (["several-platforms", "platform"] as const);
  const message = `this is a second ${what} specification in one file`;
  problems.error(code, part.path, message, start(part), "put it into a file of its own");
}

function start({ document, path }: Part): readonly [number, number] {
  const [at] = document.places().spanOf(path, "key");
  return [at, at];
}
