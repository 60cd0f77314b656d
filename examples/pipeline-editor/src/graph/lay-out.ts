import type { Arrow, DagOutputs } from "./arrows.js";
import { type BoxText, boxSpace, boxText } from "./box-rows.js";
import { layOutDag, type Placed, type Point, type Size } from "./lay-out-dag.js";
import type { GraphDag, GraphTask } from "./pipeline-graph.js";
import { clip, columns, shortName } from "./short-text.js";

/** A task with its place in the graph around it. */
export interface TaskBox extends Placed, Size {
  readonly task: GraphTask;
  readonly text: BoxText;
  /** How far the sheets of a loop stick out at the top and on the right; part of the size. */
  readonly sheets: number;
  /** The graph that it runs, with its place in this box. */
  readonly inside: (DagDrawing & Placed) | undefined;
}

/** The outputs of a graph with their place in it. */
export interface OutputsBox extends Placed, Size {
  readonly outputs: DagOutputs;
  readonly label: string;
}

/** A line from one box to another. */
export interface ArrowLine {
  readonly arrow: Arrow;
  readonly points: readonly Point[];
}

/** One graph, all places counted from its upper left corner. */
export interface DagDrawing extends Size {
  /** From top to bottom and from left to right. */
  readonly boxes: readonly TaskBox[];
  readonly outputs: OutputsBox | undefined;
  readonly arrows: readonly ArrowLine[];
}

const padding = 14;

/**
 * Gives everything in a graph a place. Arrows never cross the border of a nested graph: what a graph takes and gives
 * goes through its inputs and outputs. So each is laid out alone, from the inside out, and is a box in the one around it.
 */
export function layOut(dag: GraphDag): DagDrawing {
  const boxes = dag.tasks.map((task) => sizedBox(task));
  const outputs = dag.outputs && outputsBox(dag.outputs);
  const nodes = [
    ...boxes.map(({ task, ...size }) => ({ id: task.id, ...size })),
    ...(outputs ? [outputs] : []),
  ];
  const { places, lines, width, height } = layOutDag(nodes, dag.arrows);
  const placed = <Box extends { readonly id: string }>(box: Box): Box & Placed => ({
    ...box,
    ...(places.get(box.id) ?? { x: 0, y: 0 }),
  });
  return {
    width,
    height,
    boxes: boxes.map((box) => placed({ ...box, id: box.task.id })).sort((a, b) => a.y - b.y || a.x - b.x),
    outputs: outputs && placed(outputs),
    arrows: lines,
  };
}

function sizedBox(task: GraphTask): Omit<TaskBox, "x" | "y"> {
  const text = boxText(task);
  const sheets = task.loop === undefined ? 0 : 8;
  const drawing = task.inside && layOut(task.inside);
  const width = Math.max(text.width, drawing === undefined ? 0 : drawing.width + 2 * padding);
  const inside = drawing && { ...drawing, x: (width - drawing.width) / 2, y: text.height + 2 };
  const height = text.height + (inside === undefined ? 0 : inside.height + padding);
  return { task, text, sheets, inside, width: width + sheets, height: height + sheets };
}

function outputsBox(outputs: DagOutputs): Omit<OutputsBox, "x" | "y"> & { readonly id: string } {
  const label = clip(outputs.names.map(shortName).join(", "), 38);
  const width = Math.ceil(columns(label) * 7.2 + boxSpace.sign + 2 * boxSpace.left);
  return { id: outputs.id, outputs, label, width, height: 28 };
}
