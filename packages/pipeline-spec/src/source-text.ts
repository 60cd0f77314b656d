import type { DocumentProblems } from "./document-problems.js";
import { parseJsonDocument } from "./json-document.js";
import { readOrdinaryYaml } from "./ordinary-yaml.js";
import { reportOtherReaders, reportOtherReadersOfJson } from "./other-readers.js";
import { parseYaml } from "./parse-yaml.js";
import type { SourceDocument } from "./source-document.js";
import { reportTemplate } from "./template-marks.js";
import type { YamlLimits } from "./yaml-limits.js";

/**
 * The text of a file: what was not UTF-8 has become U+FFFD, which `decodes` then tells. A carriage return alone ends a line to
 * YAML and to editors, and has become the usual end of one, so that all offsets are those of the file.
 */
export function textOf(input: string | Uint8Array): { text: string; decodes: boolean } {
  if (typeof input === "string") return { text: withLineFeeds(input), decodes: true };
  try {
    return { text: withLineFeeds(new TextDecoder("utf-8", { fatal: true }).decode(input)), decodes: true };
  } catch {
    return { text: new TextDecoder("utf-8").decode(input.subarray(0, 4096)), decodes: false };
  }
}

function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text;
}

/** Reads the documents of a text that is JSON or YAML. */
export function parseDocuments(
  text: string,
  limits: YamlLimits,
  problems: DocumentProblems,
): SourceDocument[] {
  const json = parseJsonDocument(text);
  if (json !== undefined) {
    reportOtherReadersOfJson(text, problems, (offset) => json.places().pathAt(offset));
    return [json];
  }
  const binaryAt = firstUnprintable(text);
  if (binaryAt !== undefined) {
    reportBinary(text, binaryAt, problems);
    return [];
  }
  const documents = readOrdinaryYaml(text, limits, problems) ?? parseYaml(text, limits, problems);
  if (problems.failed) return reportTemplate(text, problems) ? [] : documents;
  reportOtherReaders(text, problems, (offset) => pathIn(documents, offset));
  return documents;
}

/** The path of what stands at an offset, in whichever document that is. */
function pathIn(documents: readonly SourceDocument[], offset: number): readonly (string | number)[] {
  const document = documents.findLast(({ places }) => places().spanOf([], "value")[0] <= offset);
  return document?.places().pathAt(offset) ?? [];
}

/** Reports a file that is not text. */
export function reportBinary(text: string, at: number, problems: DocumentProblems): void {
  const code = text.codePointAt(at)?.toString(16).toUpperCase().padStart(4, "0");
  const isArchive = text.startsWith("PK\u0003\u0004") || text.startsWith("\u001f");
  const message = isArchive
    ? "this is an archive, not a pipeline file"
    : `this is not text: it holds the character U+${code}`;
  const hint = isArchive
    ? "unpack it: the specification is in the YAML file inside"
    : "a pipeline file is YAML or JSON in UTF-8";
  problems.error("not-text", [], message, [at, at + 1], hint);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const unprintable = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|\p{Surrogate}/u;

/** Offset of the first character that YAML does not allow. */
function firstUnprintable(text: string): number | undefined {
  const at = text.search(unprintable);
  return at === -1 ? undefined : at;
}
