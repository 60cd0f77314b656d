import { graphlib, layout } from "@dagrejs/dagre";
import type { Arrow } from "./arrows.js";
import { splitLongArrows } from "./long-arrows.js";

/** A place in a drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The place of something's upper left corner. */
export type Placed = Point;

/** How much room something takes. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Something that is given a place. */
export interface Node extends Size {
  readonly id: string;
}

/** Where everything is. */
export interface Layout extends Size {
  readonly places: ReadonlyMap<string, Placed>;
  readonly lines: readonly { readonly arrow: Arrow; readonly points: readonly Point[] }[];
}

const gap = 20;
/** Up to here the better and slower way of finding rows. */
const fewNodes = 250;

/** What is so much wider than high cannot be read at the size of a screen. */
const widest = 2;

/**
 * Lays out boxes and arrows from top to bottom; what hangs together stays together, the parts fill rows. What would be very wide goes
 * from left to right, if that makes better use of the room.
 */
export function layOutDag(nodes: readonly Node[], arrows: readonly Arrow[]): Layout {
  const parts = connectedParts(nodes, arrows).map((part) => {
    const down = layOutPart(part.nodes, part.arrows);
    if (down.width <= down.height * widest) return down;
    const across = turned(layOutPart(part.nodes.map(turnedNode), part.arrows));
    return longerSide(across) < longerSide(down) ? across : down;
  });
  return pack(parts);
}

const longerSide = ({ width, height }: Size): number => Math.max(width, height * 1.3);

const turnedPoint = ({ x, y }: Point): Point => ({ x: y, y: x });

function turnedNode({ id, width, height }: Node): Node {
  return { id, width: height, height: width };
}

/** Rows become columns. */
function turned({ places, lines, width, height }: Layout): Layout {
  return {
    width: height,
    height: width,
    places: new Map([...places].map(([id, place]) => [id, turnedPoint(place)])),
    lines: lines.map(({ arrow, points }) => ({ arrow, points: points.map(turnedPoint) })),
  };
}

function layOutPart(nodes: readonly Node[], arrows: readonly Arrow[]): Layout {
  const graph = new graphlib.Graph();
  const ranker = nodes.length > fewNodes ? "tight-tree" : "network-simplex";
  graph.setGraph({ rankdir: "TB", nodesep: 26, edgesep: 14, ranksep: 40, ranker });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  const { short, long } = splitLongArrows(
    nodes.map(({ id }) => id),
    arrows.filter(({ from, to }) => from !== to),
  );
  for (const { from, to } of short) graph.setEdge(from, to);
  layout(graph);
  const places = new Map<string, Placed>();
  for (const { id, width, height } of nodes) {
    const { x = 0, y = 0 } = graph.node(id) as Partial<Point>;
    places.set(id, { x: x - width / 2, y: y - height / 2 });
  }
  const sizes = new Map(nodes.map((node) => [node.id, node]));
  const boxAt = (id: string): Box => ({
    x: 0,
    y: 0,
    width: 0,
    height: 0,
    ...sizes.get(id),
    ...places.get(id),
  });
  const routed = short.map((arrow) => {
    const { points = [] } = graph.edge(arrow.from, arrow.to) as { points?: readonly Point[] };
    const line = points.map(({ x, y }) => ({ x, y }));
    return { arrow, points: fastened(line, boxAt(arrow.from), boxAt(arrow.to)) };
  });
  const straight = long.map((arrow) => ({ arrow, points: straightLine(boxAt(arrow.from), boxAt(arrow.to)) }));
  const loops = arrows.filter(({ from, to }) => from === to);
  const round = loops.map((arrow) => ({ arrow, points: roundLine(boxAt(arrow.from)) }));
  return fitted(places, [...routed, ...straight, ...round], nodes);
}

type Box = Placed & Size;

/** Lets a line that leads down leave its box at the bottom and arrive at the top, rather than at the sides. */
function fastened(line: readonly Point[], from: Box, to: Box): readonly Point[] {
  if (line.length < 3 || from.y + from.height > to.y) return line;
  const within = (x: number, box: Box): number =>
    Math.max(box.x + box.width * 0.2, Math.min(x, box.x + box.width * 0.8));
  const [second, last] = [line[1], line.at(-2)];
  if (second === undefined || last === undefined) return line;
  const start = { x: within(second.x, from), y: from.y + from.height };
  return [start, ...line.slice(1, -1), { x: within(last.x, to), y: to.y }];
}

/** From the lower edge of one box to the upper edge of the other. */
function straightLine(from: Box, to: Box): readonly Point[] {
  return [
    { x: from.x + from.width / 2, y: from.y + from.height },
    { x: to.x + to.width / 2, y: to.y },
  ];
}

/** From the right edge of a box back to it, within the room between two boxes. */
function roundLine({ x, y, width, height }: Box): readonly Point[] {
  const [right, middle] = [x + width, y + height / 2];
  return [
    { x: right, y: middle - 7 },
    { x: right + 22, y: middle - 14 },
    { x: right + 22, y: middle + 14 },
    { x: right, y: middle + 7 },
  ];
}

/** Moves everything so that it starts at the upper left corner, with lines that swing out beside the boxes. */
function fitted(places: ReadonlyMap<string, Placed>, lines: Layout["lines"], nodes: readonly Node[]): Layout {
  let [left, top, right, bottom] = [Infinity, Infinity, 0, 0];
  const include = (x: number, y: number): void => {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  };
  for (const { id, width, height } of nodes) {
    const { x, y } = places.get(id) ?? { x: 0, y: 0 };
    include(x, y);
    include(x + width, y + height);
  }
  for (const { points } of lines) for (const { x, y } of points) include(x, y);
  return moved({ places, lines, width: right - left, height: bottom - top }, -left, -top);
}

function moved({ places, lines, ...size }: Layout, x: number, y: number): Layout {
  const move = (point: Point): Point => ({ x: point.x + x, y: point.y + y });
  return {
    ...size,
    places: new Map([...places].map(([id, place]) => [id, move(place)])),
    lines: lines.map(({ arrow, points }) => ({ arrow, points: points.map(move) })),
  };
}

/** Puts parts beside each other, in rows that together are about as wide as a screen is to its height. */
function pack(parts: readonly Layout[]): Layout {
  const area = parts.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const most = Math.max(Math.sqrt(area * 1.3), ...parts.map(({ width }) => width));
  const places = new Map<string, Placed>();
  const lines: Layout["lines"][number][] = [];
  let [x, y, rowHeight, width] = [0, 0, 0, 0];
  for (const part of parts) {
    if (x > 0 && x + part.width > most) [x, y, rowHeight] = [0, y + rowHeight + gap, 0];
    const there = moved(part, x, y);
    for (const [id, place] of there.places) places.set(id, place);
    lines.push(...there.lines);
    width = Math.max(width, x + part.width);
    rowHeight = Math.max(rowHeight, part.height);
    x += part.width + gap;
  }
  return { places, lines, width, height: y + rowHeight };
}

interface Part {
  readonly nodes: Node[];
  readonly arrows: Arrow[];
}

/** What hangs together by arrows, in the order of the first node of each. */
function connectedParts(nodes: readonly Node[], arrows: readonly Arrow[]): readonly Part[] {
  const neighbours = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { from, to } of arrows) {
    neighbours.get(from)?.push(to);
    neighbours.get(to)?.push(from);
  }
  const partOf = new Map<string, Part>();
  const parts: Part[] = [];
  for (const { id } of nodes) {
    if (partOf.has(id)) continue;
    const part: Part = { nodes: [], arrows: [] };
    parts.push(part);
    const waiting = [id];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (partOf.has(next)) continue;
      partOf.set(next, part);
      waiting.push(...(neighbours.get(next) ?? []));
    }
  }
  for (const node of nodes) partOf.get(node.id)?.nodes.push(node);
  for (const arrow of arrows) partOf.get(arrow.from)?.arrows.push(arrow);
  return parts;
}
