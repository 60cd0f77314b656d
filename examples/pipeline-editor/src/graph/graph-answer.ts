import { parsePipeline } from "@wye/pipeline-spec";
import { rangesOf, type TaskRanges } from "./box-ranges.js";
import { type DagDrawing, layOut } from "./lay-out.js";
import { type DeclaredNames, namesOf } from "./names-of.js";
import { graphOf } from "./pipeline-graph.js";
import type { CountedProblem } from "./problem-counter.js";

/** What there is to draw of a text, ready to be sent from the worker to the page. */
export type GraphAnswer =
  | {
      readonly state: "drawn";
      readonly name: string;
      /** How many tasks there are, with those in nested graphs. */
      readonly tasks: number;
      readonly drawing: DagDrawing;
      readonly ranges: ReadonlyMap<string, TaskRanges>;
      readonly names: DeclaredNames;
    }
  /** The text cannot be read so far that there would be a graph. */
  | { readonly state: "unreadable" }
  /** There is nothing to draw, or too much; the reason is a sentence. */
  | { readonly state: "none"; readonly reason: string };

/** Problems of a text in which there is no pipeline, not even one that is being written. */
const foreign: ReadonlySet<string> = new Set([
  "empty",
  "no-specification",
  "not-a-pipeline",
  "not-text",
  "version-1",
]);

/** Draws the graph of a text, as far as it can be read, with the problems that were found in it. */
export function drawText(text: string, problems: readonly CountedProblem[]): GraphAnswer {
  const parsed = parsePipeline(text);
  const pipeline = parsed.ok ? parsed.pipeline : parsed.partial;
  if (pipeline === undefined) {
    return parsed.problems.some(({ code }) => foreign.has(code))
      ? { state: "none", reason: "There is no pipeline in this text." }
      : { state: "unreadable" };
  }
  const graph = graphOf(pipeline, problems);
  if (!graph.ok) return { state: "none", reason: graph.reason };
  const { name, tasks, root } = graph;
  const ranges = rangesOf(root, pipeline);
  return { state: "drawn", name, tasks, drawing: layOut(root), ranges, names: namesOf(pipeline) };
}
