import { readFileSync } from "node:fs";
import { validatePipeline } from "../src/index.js";

const read = (name: string): string =>
  readFileSync(new URL(`../testdata/mistakes/${name}`, import.meta.url), "utf8");

/** One mistake of the catalogue. */
export interface HumanMistake {
  readonly name: string;
  readonly isRefused: boolean;
  readonly rules: readonly string[];
  readonly text: string;
  /** Lines, from 1, on which it may be reported. */
  readonly lines: readonly number[];
}

/** The file that all mistakes are made in; nothing is wrong with it. */
export const pipeline: string = read("pipeline.yaml");

/** The catalogue, read. */
export const humanMistakes: readonly HumanMistake[] = read("mistakes.txt")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map(readMistake);

function readMistake(line: string): HumanMistake {
  const [kind = "", rules = "", ...rest] = line
    .split(" | ")
    .map((part) => part.replaceAll("\\n", "\n").replaceAll("\\t", "\t"));
  const [before = "", after = "", where = ""] = rest;
  const at = pipeline.indexOf(before);
  if (at === -1 || (kind !== "e" && kind !== "w")) throw new Error(`the catalogue has a bad line: ${line}`);
  const text = pipeline.slice(0, at) + after + pipeline.slice(at + before.length);
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
  const lines =
    where === ""
      ? Array.from({ length: after.split("\n").length }, (_, index) => lineOf(at) + index)
      : text.split("\n").flatMap((content, index) => (content.includes(where) ? [index + 1] : []));
  return { name: line, isRefused: kind === "e", rules: rules.split(","), text, lines };
}

/** What became of a mistake. */
export type Outcome = "found" | "missed" | "only-warned" | "elsewhere";

/** Looks for a mistake: one of its rules has to name it on its line. */
export function outcomeOf({ text, rules, lines, isRefused }: HumanMistake): Outcome {
  const { problems } = validatePipeline(text);
  const own = problems.filter(({ code }) => rules.includes(code));
  if (own.length === 0) return "missed";
  const placed = own.filter(({ range }) => range !== undefined && lines.includes(range.start.line));
  if (placed.length === 0) return "elsewhere";
  return isRefused && !placed.some(({ severity }) => severity === "error") ? "only-warned" : "found";
}
