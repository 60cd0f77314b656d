import { CarriageReturns } from "./carriage-returns.js";
import type { DocumentProblems } from "./document-problems.js";
import { LaterEntries } from "./later-entries.js";
import { Places } from "./places.js";
import { readBlock } from "./read-block.js";
import type { SourceDocument } from "./source-document.js";
import { maxDocuments, type YamlLimits } from "./yaml-limits.js";
import { NotOrdinary, YamlScan } from "./yaml-scan.js";

/** True for a text with a character in it that some readers take for another: a byte order mark, or a carriage return alone. */
function isOdd(text: string): boolean {
  return text.includes("\ufeff") || (text.includes("\r") && /\r(?!\n)/.test(text));
}

/**
 * Reads the documents of a text as compilers and people write it: maps and lists in blocks or in brackets, texts with and
 * without quotes, in one line or several, and comments. Undefined for a text that has anything else in it, whether it is
 * YAML or not: anchors, tags, directives, keys that are no text or here twice, tabs between values, and all mistakes.
 */
export function readOrdinaryYaml(
  text: string,
  limits: YamlLimits,
  problems: DocumentProblems,
): SourceDocument[] | undefined {
  if (isOdd(text)) return undefined;
  try {
    const returns = text.includes("\r") ? new CarriageReturns(text) : undefined;
    const offsetOf = returns && ((at: number) => returns.offsetOf(at));
    const scan = new YamlScan(returns?.without ?? text, limits, problems, offsetOf);
    scan.later = new LaterEntries(scan.text, limits);
    return readDocuments(text, scan);
  } catch (error) {
    if (!(error instanceof NotOrdinary)) throw error;
    problems.clear();
    return undefined;
  }
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
