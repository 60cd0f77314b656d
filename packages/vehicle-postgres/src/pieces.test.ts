import { expect, test } from "vitest";
import { collect } from "../test/real-database.js";
import { pieces } from "./pieces.js";

test.each<readonly [length: number, ...sizes: number[]]>([
  [0],
  [1, 1],
  [2, 2],
  [3, 2, 1],
  [4, 2, 2],
  [5, 2, 2, 1],
])("a list of %d comes whole and in order, two at a time", async (length, ...sizes) => {
  const list = Array.from({ length }, (_, at) => at);
  const found = await collect(pieces(list, 2));
  expect([found.flat(), found.map((piece) => piece.length)]).toEqual([list, sizes]);
});

test("others get their turn between two pieces, and need not before the first", async () => {
  const events: unknown[] = [];
  const list = pieces([1, 2], 1);
  for (let round = 0; round < 3; round++) {
    setImmediate(() => events.push("others"));
    const { value } = await list.next();
    events.push(value);
  }
  expect(events).toEqual([[1], "others", "others", [2], undefined]);
});
