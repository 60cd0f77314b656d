import type { Pipeline } from "@wye/pipeline-spec";
import { signOf } from "../state-sign.js";
import { drawGraph } from "./draw-graph.js";
import { graphNotes, type NotedTask } from "./graph-notes.js";

/** How a run is drawn. */
export interface DrawRunOptions {
  /** Where the box of a task leads to: `#task-12`. Boxes lead nowhere by default. */
  readonly linkTo?: (task: string) => string | undefined;
}

/**
 * The graph of a pipeline with the state of each task, as SVG without a style: the class of a box is `box`, its attribute `data-state` the
 * state of the task, its attribute `data-box` the names that lead to it. Undefined when there is nothing to draw, or too much to read.
 */
export function drawRun(
  pipeline: Pipeline,
  tasks: readonly NotedTask[],
  { linkTo = () => undefined }: DrawRunOptions = {},
): string | undefined {
  const notes = graphNotes(tasks);
  return drawGraph(pipeline, (_, id) => {
    const { state = "PENDING", note = "not started", task } = notes.get(id) ?? {};
    const link = task === undefined ? undefined : linkTo(task);
    return { attributes: { "data-state": state }, sign: signOf(state), note, link };
  });
}
