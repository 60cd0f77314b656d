import { readFileSync } from "node:fs";
import { type ValidationProblem, validatePipeline } from "../src/index.js";

const read = (name: string): string =>
  readFileSync(new URL(`../testdata/mistakes/${name}`, import.meta.url), "utf8");

const corpus = new URL("../../pipeline-spec/testdata/pipelines/valid/", import.meta.url);

/** One mistake of the catalogue. */
export interface HumanMistake {
  readonly name: string;
  /** e: a back end refuses it; w: it works, but not as it was meant; s: it works and could be clearer. */
  readonly kind: "e" | "w" | "s";
  readonly rules: readonly string[];
  readonly text: string;
  /** Lines, from 1, on which it may be reported. */
  readonly lines: readonly number[];
}

/** The file that all mistakes are made in; nothing is wrong with it. */
export const pipeline: string = read("pipeline.yaml");

/** The catalogue, read: mistakes in one file that was written for it, and in files of the corpus. */
export const humanMistakes: readonly HumanMistake[] = ["mistakes.txt", "corpus-mistakes.txt"].flatMap(
  (name) => readMistakes(read(name)),
);

function readMistakes(catalogue: string): HumanMistake[] {
  let file = pipeline;
  return catalogue.split("\n").flatMap((line) => {
    if (line === "" || line.startsWith("#")) return [];
    if (!line.startsWith("in ")) return [readMistake(line, file)];
    file = readFileSync(new URL(line.slice(3), corpus), "utf8");
    return [];
  });
}

function readMistake(line: string, file: string): HumanMistake {
  const [kind = "", rules = "", ...rest] = line
    .split(" | ")
    .map((part) => part.replaceAll("\\n", "\n").replaceAll("\\t", "\t"));
  const [before = "", after = "", where = ""] = rest;
  const at = file.indexOf(before);
  if (at === -1 || (kind !== "e" && kind !== "w" && kind !== "s"))
    throw new Error(`the catalogue has a bad line: ${line}`);
  const text = file.slice(0, at) + after + file.slice(at + before.length);
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
  const lines =
    where === ""
      ? Array.from({ length: after.split("\n").length }, (_, index) => lineOf(at) + index)
      : text.split("\n").flatMap((content, index) => (content.includes(where) ? [index + 1] : []));
  return { name: line, kind, rules: rules.split(","), text, lines };
}

/** Of these nobody can tell whether the pipeline can do without what was meant: they are errors in either case. */
const stricter: ReadonlySet<string> = new Set(["executor-field-misspelt"]);

/** What became of a mistake. */
export type Outcome = "found" | "missed" | "of another severity" | "elsewhere";

/** What is found in the file with a mistake. */
export function problemsOf({
  text,
  kind,
}: Pick<HumanMistake, "text" | "kind">): readonly ValidationProblem[] {
  return validatePipeline(text, { style: kind === "s" }).problems;
}

/** Looks for a mistake: one of its rules has to name it on its line. */
export function outcomeOf(
  { rules, lines, kind }: HumanMistake,
  problems: readonly ValidationProblem[],
): Outcome {
  const own = problems.filter(({ code }) => rules.includes(code));
  if (own.length === 0) return "missed";
  const placed = own.filter(({ range }) => range !== undefined && lines.includes(range.start.line));
  if (placed.length === 0) return "elsewhere";
  const wanted = placed.filter(
    ({ severity, code }) => stricter.has(code) || (severity === "error") === (kind === "e"),
  );
  return wanted.length === 0 ? "of another severity" : "found";
}
