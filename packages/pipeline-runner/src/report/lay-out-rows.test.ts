import fc from "fast-check";
import { expect, test } from "vitest";
import { type LayoutNode, layOutRows, type Placed } from "./lay-out-rows.js";

const box = { width: 200, height: 50 };
const chain = (count: number): readonly LayoutNode[] =>
  Array.from({ length: count }, (_, index) => ({ ...box, after: index === 0 ? [] : [index - 1] }));

test.each<[string, readonly LayoutNode[], readonly (readonly [x: number, y: number])[]]>([
  ["nothing", [], []],
  [
    "a chain goes down",
    chain(3),
    [
      [0, 0],
      [0, 86],
      [0, 172],
    ],
  ],
  [
    "two after one stand below it",
    [
      { ...box, after: [] },
      { ...box, after: [0] },
      { ...box, after: [0] },
    ],
    [
      [110, 0],
      [0, 86],
      [220, 86],
    ],
  ],
  [
    "boxes stand as near to what they come after as the others let them",
    [[], [0], [0], [0, 2], [1, 2]].map((after) => ({ ...box, after })),
    [
      [110, 0],
      [0, 86],
      [220, 86],
      [220, 172],
      [0, 172],
    ],
  ],
  [
    "a row is as wide as it may be",
    [740, 740].map((width) => ({ width, height: 50, after: [] })),
    [
      [0, 0],
      [760, 0],
    ],
  ],
  [
    "a row that would be wider goes on below",
    [740, 741].map((width) => ({ width, height: 50, after: [] })),
    [
      [0.5, 0],
      [0, 86],
    ],
  ],
  [
    "what goes on below has a row of its own width",
    [1000, 800, 600].map((width) => ({ width, height: 50, after: [] })),
    [
      [210, 0],
      [0, 86],
      [820, 86],
    ],
  ],
  ["a box that is too wide has a row all the same", [{ width: 1600, height: 50, after: [] }], [[0, 0]]],
  [
    "a circle has a place, too",
    [
      { ...box, after: [1] },
      { ...box, after: [0] },
    ],
    [
      [0, 0],
      [0, 86],
    ],
  ],
])("%s", (_, nodes, places) => {
  expect(layOutRows(nodes).places.map(({ x, y }) => [x, y])).toEqual(places);
});

const graphs = fc
  .array(
    fc.record({
      width: fc.integer({ min: 50, max: 900 }),
      height: fc.integer({ min: 20, max: 300 }),
      before: fc.array(fc.nat()),
    }),
    {
      maxLength: 25,
    },
  )
  .map((nodes) =>
    nodes.map(({ before, ...size }, index) => ({
      ...size,
      after: index === 0 ? [] : [...new Set(before.map((one) => one % index))],
    })),
  );

test("no boxes overlap, all are within the drawing, and what comes after something is below it", () => {
  fc.assert(
    fc.property(graphs, (nodes) => {
      const { places, width, height } = layOutRows(nodes);
      const overlaps = (a: Placed, b: Placed) =>
        a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
      const at = (index: number): Placed => places[index] ?? { x: 0, y: 0, width: 0, height: 0 };
      for (const [index, one] of places.entries()) {
        expect(one.x).toBeGreaterThanOrEqual(0);
        expect(one.x + one.width).toBeLessThanOrEqual(width);
        expect(one.y + one.height).toBeLessThanOrEqual(height);
        expect(places.slice(index + 1).filter((other) => overlaps(one, other))).toEqual([]);
        for (const before of nodes[index]?.after ?? [])
          expect(at(before).y + at(before).height).toBeLessThan(one.y);
      }
    }),
    { seed: 1607 },
  );
});

test("nothing takes no room", () => {
  expect(layOutRows([])).toEqual({ places: [], width: 0, height: 0 });
});
