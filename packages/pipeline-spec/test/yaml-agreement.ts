import { isDeepStrictEqual } from "node:util";
import { DocumentProblems } from "../src/document-problems.js";
import type { Span } from "../src/line-table.js";
import { readOrdinaryYaml } from "../src/ordinary-yaml.js";
import { parseYaml } from "../src/parse-yaml.js";
import type { SourceDocument } from "../src/source-document.js";

const limits = { maxDepth: 100, maxTokens: 3_000_000, maxSlowBytes: 2 ** 30, maxAliasedValues: 1_000_000 };

/** What the two readers of YAML make of a text: `same`, `handed over` when only the library reads it, or what differs. */
export function compareReaders(text: string): string {
  const problems = new DocumentProblems(text, 100);
  const ours = readOrdinaryYaml(text, limits, problems);
  if (ours === undefined) return problems.list().length === 0 ? "handed over" : "problems are left behind";
  const theirProblems = new DocumentProblems(text, 100);
  const theirs = parseYaml(text, limits, theirProblems);
  if (!isDeepStrictEqual(problems.list(), theirProblems.list())) {
    return `other problems: ${JSON.stringify([problems.list(), theirProblems.list()])}`;
  }
  if (ours.length !== theirs.length) return `${ours.length} documents instead of ${theirs.length}`;
  for (const [index, own] of ours.entries()) {
    const difference = compareDocuments(text, own, theirs[index] ?? own);
    if (difference !== undefined) return difference;
  }
  return "same";
}

/** A text whose lines end as those of Windows do. */
export const withCrLf = (text: string): string => text.replaceAll(/\r?\n/g, "\r\n");

/** What came of comparing many texts, with both ends of lines in turn: how often they were the same, and the first that were not. */
export function compareAll(texts: Iterable<string>): { same: number; differences: string[] } {
  let same = 0;
  let count = 0;
  const differences: string[] = [];
  for (const written of texts) {
    const text = count++ % 2 === 0 ? written : withCrLf(written);
    const outcome = compareReaders(text);
    if (outcome === "same") same++;
    else if (outcome !== "handed over") differences.push(`${JSON.stringify(text)}: ${outcome}`);
  }
  return { same, differences: differences.slice(0, 5) };
}

function compareDocuments(text: string, ours: SourceDocument, theirs: SourceDocument): string | undefined {
  if (!isDeepStrictEqual(ours.value, theirs.value)) {
    return `other values: ${JSON.stringify([ours.value, theirs.value])}`;
  }
  for (const path of pathsOf(ours.value, [])) {
    for (const part of ["key", "value"] as const) {
      const [own, their] = [ours, theirs].map(({ places }) => trimmed(text, places().spanOf(path, part)));
      if (!isDeepStrictEqual(own, their)) return `other ${part} at /${path.join("/")}: ${own}, not ${their}`;
    }
  }
  return undefined;
}

function* pathsOf(value: unknown, path: readonly string[]): Generator<readonly string[]> {
  yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, key]);
}

/** Problems are shown without white space at the end of what they are about. */
function trimmed(text: string, [start, end]: Span): Span {
  return [start, start + text.slice(start, end).trimEnd().length];
}
