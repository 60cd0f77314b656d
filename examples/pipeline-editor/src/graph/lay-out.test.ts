import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Arrow } from "./arrows.js";
import { drawText } from "./graph-answer.js";
import type { DagDrawing } from "./lay-out.js";
import { layOutDag, type Node, type Placed, type Size } from "./lay-out-dag.js";
import { splitLongArrows } from "./long-arrows.js";

const data = new URL("../../data/", import.meta.url);
const files = readdirSync(data).filter((name) => name.endsWith(".yaml"));

type Box = Placed & Size;
const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

function overlaps(boxes: readonly Box[]): number {
  return boxes.flatMap((a, place) => boxes.slice(place + 1).filter((b) => overlap(a, b))).length;
}

function isWithin({ x, y, width, height }: Box, room: Size): boolean {
  return x >= -0.01 && y >= -0.01 && x + width <= room.width + 0.01 && y + height <= room.height + 0.01;
}

function dagsOf(drawing: DagDrawing): readonly DagDrawing[] {
  return [drawing, ...drawing.boxes.flatMap(({ inside }) => (inside === undefined ? [] : dagsOf(inside)))];
}

describe("the pipelines of the page", () => {
  for (const file of files) {
    test(`${file}: nothing overlaps, and all stays inside of what it is in`, () => {
      const answer = drawText(readFileSync(new URL(file, data), "utf8"), []);
      if (answer.state !== "drawn") throw new Error("it is not drawn");
      for (const drawing of dagsOf(answer.drawing)) {
        const all: readonly Box[] = [...drawing.boxes, ...(drawing.outputs ? [drawing.outputs] : [])];
        expect(overlaps(all)).toBe(0);
        expect(all.filter((box) => !isWithin(box, drawing))).toEqual([]);
        const points = drawing.arrows.flatMap((line) => line.points);
        expect(points.filter((point) => !isWithin({ ...point, width: 0, height: 0 }, drawing))).toEqual([]);
        for (const { inside, width, height, text, sheets } of drawing.boxes) {
          const room = { x: 0, y: text.height, width: 0, height: 0, ...inside };
          expect(isWithin(room, { width: width - sheets, height: height - sheets })).toBe(true);
          expect(room.y).toBeGreaterThanOrEqual(text.height);
        }
      }
    });
  }
});

const node = (id: string, width = 120, height = 40): Node => ({ id, width, height });
const arrow = (from: string, to: string): Arrow => ({ from, to, kind: "order", labels: [] });

function boxesOf(nodes: readonly Node[], arrows: readonly Arrow[]): readonly Box[] {
  const { places } = layOutDag(nodes, arrows);
  expect([...places.keys()].sort()).toEqual(nodes.map(({ id }) => id).sort());
  return nodes.map(({ id, ...size }) => ({ ...places.get(id)!, ...size }));
}

/** A seeded generator, so that a failure can be seen again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("a graph", () => {
  test("leads from top to bottom", () => {
    const boxes = boxesOf([node("b"), node("c"), node("a")], [arrow("a", "b"), arrow("b", "c")]);
    const [b, c, a] = boxes.map(({ y, height }) => ({ top: y, bottom: y + height }));
    expect(a!.bottom).toBeLessThan(b!.top);
    expect(b!.bottom).toBeLessThan(c!.top);
  });

  test("that would be very wide leads from left to right", () => {
    const nodes = [node("a"), ...Array.from({ length: 12 }, (_, place) => node(`n${place}`))];
    const arrows = nodes.slice(1).map(({ id }) => arrow("a", id));
    const [first, ...others] = boxesOf(nodes, arrows);
    const right = first!.x + first!.width;
    for (const box of others) expect(box.x).toBeGreaterThan(right);
    const { lines, width, height } = layOutDag(nodes, arrows);
    expect(width).toBeLessThan(height);
    for (const { points } of lines) {
      expect(points[0]!.x).toBeCloseTo(right);
      expect(points.at(-1)!.x).toBeCloseTo(others[0]!.x);
    }
  });

  test("with cycles and a task after itself is laid out all the same", () => {
    const nodes = ["a", "b", "c", "d"].map((id) => node(id));
    const arrows = [arrow("a", "b"), arrow("b", "c"), arrow("c", "a"), arrow("d", "d"), arrow("c", "d")];
    expect(overlaps(boxesOf(nodes, arrows))).toBe(0);
    const { lines, places } = layOutDag(nodes, arrows);
    expect(lines).toHaveLength(5);
    const round = lines.find((line) => line.arrow.from === line.arrow.to)!;
    const right = places.get("d")!.x + 120;
    expect([round.points[0]?.x, round.points.at(-1)?.x]).toEqual([right, right]);
    expect(Math.max(...round.points.map(({ x }) => x)) - right).toBeLessThan(26);
  });

  test("without arrows fills rows rather than one line", () => {
    const nodes = Array.from({ length: 60 }, (_, place) => node(`n${place}`));
    const { width, height } = layOutDag(nodes, []);
    expect(width / height).toBeGreaterThan(0.5);
    expect(width / height).toBeLessThan(3);
  });

  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    test(`at random, seed ${seed}: nothing overlaps, every arrow has its line`, () => {
      const next = random(seed);
      const nodes = Array.from({ length: 40 }, (_, place) =>
        node(`n${place}`, 60 + next() * 200, 30 + next() * 150),
      );
      const ends = new Map<string, Arrow>();
      for (let count = 0; count < 60; count++) {
        const [from, to] = [`n${Math.floor(next() * 40)}`, `n${Math.floor(next() * 40)}`];
        ends.set(`${from} ${to}`, arrow(from, to));
      }
      const arrows = [...ends.values()];
      expect(overlaps(boxesOf(nodes, arrows))).toBe(0);
      const { lines } = layOutDag(nodes, arrows);
      expect(lines).toHaveLength(arrows.length);
      expect(lines.filter(({ points }) => points.length < 2)).toEqual([]);
    });
  }

  test("of 1,000 tasks in a row, all after the first as well, is laid out without leading 500,000 rows around boxes", () => {
    const nodes = Array.from({ length: 1_000 }, (_, place) => node(`n${place}`));
    const arrows = nodes
      .slice(1)
      .flatMap(({ id }, place) => [arrow(`n${place}`, id), ...(place === 0 ? [] : [arrow("n0", id)])]);
    const { short, long } = splitLongArrows(
      nodes.map(({ id }) => id),
      arrows,
    );
    expect(short.length + long.length).toBe(arrows.length);
    expect(short.length).toBeGreaterThan(999);
    expect(short.length).toBeLessThan(1_100);
    const { places, lines } = layOutDag(nodes, arrows);
    expect([places.size, lines.length]).toEqual([1_000, arrows.length]);
  });
});
