import { CarriageReturns } from "./carriage-returns.js";
import type { DocumentProblems } from "./document-problems.js";
import { isLarger } from "./is-larger.js";
import { LaterEntries } from "./later-entries.js";
import { Places } from "./places.js";
import { readBlock } from "./read-block.js";
import type { SourceDocument } from "./source-document.js";
import { maxDocuments, type YamlLimits } from "./yaml-limits.js";
import { NotOrdinary, YamlScan } from "./yaml-scan.js";

/** Where a character stands that some readers take for another: a byte order mark, or a carriage return alone. */
function oddAt(text: string): number {
  return text.search(text.includes("\r") ? /\ufeff|\r(?!\n)/ : /\ufeff/);
}

/**
 * Reads the documents of a text as compilers and people write it: maps and lists in blocks or in brackets, texts with and
 * without quotes, in one line or several, and comments. Undefined for a text that has anything else in it, whether it is
 * YAML or not: anchors, tags, directives, keys that are no text or here twice, tabs between values, and all mistakes. A text
 * that is too large for the library as well is a problem at the first of them, and has no documents.
 */
export function readOrdinaryYaml(
  text: string,
  limits: YamlLimits,
  problems: DocumentProblems,
): SourceDocument[] | undefined {
  const isSmall = !isLarger(text, limits.maxSlowBytes);
  const odd = oddAt(text);
  if (odd !== -1) return isSmall ? undefined : refuse({ at: odd, limit: "maxSlowBytes" }, limits, problems);
  const returns = text.includes("\r") ? new CarriageReturns(text) : undefined;
  const offsetOf = returns && ((at: number) => returns.offsetOf(at));
  const scan = new YamlScan(returns?.without ?? text, limits, problems, offsetOf);
  scan.later = new LaterEntries(scan.text, limits);
  try {
    return readDocuments(text, scan);
  } catch (error) {
    if (!(error instanceof NotOrdinary)) throw error;
    problems.clear();
    const at = offsetOf?.(scan.at) ?? scan.at;
    return isSmall ? undefined : refuse({ at, limit: error.limit ?? "maxSlowBytes" }, limits, problems);
  }
}

/** Tells which limit the library would not be held to in time, and where the text goes beyond it. */
function refuse(
  { at, limit }: { readonly at: number; readonly limit: "maxDepth" | "maxTokens" | "maxSlowBytes" },
  limits: YamlLimits,
  problems: DocumentProblems,
): [] {
  const most = limits[limit];
  if (limit === "maxDepth") {
    problems.error("too-deep", [], `nested deeper than ${most} levels`, [at, at + 1]);
  } else if (limit === "maxTokens") {
    const message = `the text has more than ${most} values`;
    problems.error("too-large", [], message, [at, at], "raise the limit maxTokens");
  } else {
    const message = `what stands here is a mistake, or is read by a slower reader, which takes no text of more than ${most} bytes`;
    const hint =
      "mend it, or write it without anchors, tags, tabs and the like; to be told what it is, raise the limit maxSlowBytes";
    problems.error("too-large", [], message, [at, at + 1], hint);
  }
  return [];
}

function readDocuments(text: string, scan: YamlScan): SourceDocument[] {
  const documents: SourceDocument[] = [];
  scan.firstLine();
  for (let count = 1; !scan.isDone(); count++) {
    if (count > maxDocuments) scan.handOver();
    if (scan.indent === -1) scan.startDocument();
    if (scan.indent === -1) continue;
    const value = readBlock(scan, -1, -1, -1);
    if (scan.indent !== -1) scan.handOver();
    const places = new Places(text, scan.takeRows());
    documents.push({ value, places: () => places });
  }
  return documents;
}
