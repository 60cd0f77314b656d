import { buildGraph, type ComponentNode, type Pipeline, pointer, type TaskNode } from "@wye/pipeline-spec";
import { clip, visibleText } from "../visible-text.js";
import { type Layout, layOutRows, type Placed, type Size } from "./lay-out-rows.js";
import { asMarkup, join, type Markup, tag, text } from "./markup.js";

/** What is to be seen in and around the box of a task, beside its name. */
export interface BoxLook {
  /** The attributes of the box. */
  readonly attributes: Readonly<Record<string, string>>;
  /** One character before the name. */
  readonly sign: string;
  /** The line below the name. */
  readonly note: string;
  /** Where the box leads to. */
  readonly link?: string | undefined;
}

/** Tells how the box of a task looks; `id` is made of the names that lead to it, as a JSON pointer. */
export type LookOf = (task: TaskNode, id: string) => BoxLook;

/** A box before it is drawn, with what is in it. */
interface Box extends Size {
  readonly id: string;
  readonly task: TaskNode;
  readonly inside: Drawing | undefined;
}

interface Drawing extends Layout {
  readonly boxes: readonly Box[];
  readonly arrows: readonly (readonly [from: number, to: number])[];
}

const box = { width: 210, height: 50, padding: 14, columns: 26 } as const;
const margin = 12;
const most = { boxes: 1500, depth: 30 } as const;

/**
 * The graph of a pipeline as SVG: the class of a box is `box`, its attribute `data-box` its id. `style` is written into it.
 * Undefined when there is nothing to draw, or too much to read.
 */
export function drawGraph(pipeline: Pipeline, lookOf: LookOf, style?: string): string | undefined {
  const { root, spec } = buildGraph(pipeline);
  const drawing = root && new GraphLayout().dag(root, "", []);
  if (drawing === undefined || drawing.boxes.length === 0) return undefined;
  const [width, height] = [drawing.width + 2 * margin, drawing.height + 2 * margin];
  return tag(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      class: "graph",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "group",
      "aria-label": `Graph of ${spec.pipelineInfo?.name || "the pipeline"}`,
    },
    style === undefined ? undefined : tag("style", {}, asMarkup(style)),
    tag("g", { transform: `translate(${margin} ${margin})` }, contentOf(drawing, lookOf)),
  );
}

/** Gives every task of a pipeline a box, from the inside out, until there are too many. */
class GraphLayout {
  #boxes = 0;

  dag(component: ComponentNode, id: string, above: readonly ComponentNode[]): Drawing | undefined {
    const tasks = [...(component.tasks?.values() ?? [])];
    this.#boxes += tasks.length;
    if (this.#boxes > most.boxes || above.length > most.depth) return undefined;
    const boxes: Box[] = [];
    for (const task of tasks) {
      const one = this.#box(task, pointer(id, task.name), [...above, component]);
      if (one === undefined) return undefined;
      boxes.push(one);
    }
    const index = new Map(tasks.map(({ name }, place) => [name, place]));
    const after = tasks.map(({ name, dependencies }) => {
      const before = dependencies.flatMap(({ to }) => (to.name === name ? [] : (index.get(to.name) ?? [])));
      return [...new Set(before)];
    });
    const layout = layOutRows(
      boxes.map(({ width, height }, place) => ({ width, height, after: after[place] ?? [] })),
    );
    return { ...layout, boxes, arrows: after.flatMap((list, to) => list.map((from) => [from, to] as const)) };
  }

  #box(task: TaskNode, id: string, above: readonly ComponentNode[]): Box | undefined {
    const { component } = task;
    // A component that contains itself is drawn once.
    if (component?.tasks === undefined || above.includes(component))
      return { id, task, inside: undefined, width: box.width, height: box.height };
    const inside = this.dag(component, id, above);
    if (inside === undefined) return undefined;
    const width = Math.max(box.width, inside.width + 2 * box.padding);
    return { id, task, inside, width, height: box.height + inside.height + box.padding };
  }
}

function contentOf({ boxes, arrows, places }: Drawing, lookOf: LookOf): Markup {
  const lines = arrows.flatMap(([from, to]) => {
    const [start, end] = [places[from], places[to]];
    return start && end ? [tag("path", { class: "arrow", d: curve(start, end) })] : [];
  });
  const drawnBoxes = boxes.flatMap((one, index) => {
    const place = places[index];
    return place ? [boxOf(one, place, lookOf)] : [];
  });
  return join([tag("g", { "aria-hidden": "true" }, ...lines), ...drawnBoxes]);
}

/** From the lower edge of a box to the upper edge of another. */
function curve(from: Placed, to: Placed): string {
  const [x, y, toX, toY] = [from.x + from.width / 2, from.y + from.height, to.x + to.width / 2, to.y].map(
    round,
  );
  const bend = round(Math.max(18, Math.abs((toY ?? 0) - (y ?? 0)) / 2));
  return `M${x} ${y}C${x} ${(y ?? 0) + bend} ${toX} ${(toY ?? 0) - bend} ${toX} ${toY}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

function boxOf({ id, task, width, height, inside }: Box, place: Placed, lookOf: LookOf): Markup {
  const { attributes, sign, note, link } = lookOf(task, id);
  const name = visibleText(task.spec.taskInfo?.name || task.name);
  const shown = clip(name, box.columns - 3);
  const shownNote = clip(note, box.columns + 3);
  const face = [
    // What was cut off is not lost.
    shown === name && shownNote === note ? undefined : tag("title", {}, text(`${name}\n${note}`)),
    tag("rect", { class: "face", width, height, rx: 8 }),
    tag("text", { class: "sign", x: 12, y: 21, "aria-hidden": "true" }, text(sign)),
    tag("text", { class: "name", x: 28, y: 21 }, text(shown)),
    tag("text", { class: "note", x: 28, y: 39 }, text(shownNote)),
  ];
  const head = link === undefined ? tag("g", {}, ...face) : tag("a", { href: link }, ...face);
  const within =
    inside &&
    tag(
      "g",
      { transform: `translate(${round((width - inside.width) / 2)} ${box.height})` },
      contentOf(inside, lookOf),
    );
  return tag(
    "g",
    {
      class: "box",
      "data-box": id,
      ...attributes,
      transform: `translate(${round(place.x)} ${round(place.y)})`,
    },
    head,
    within ?? asMarkup(""),
  );
}
