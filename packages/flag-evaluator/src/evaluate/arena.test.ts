import { expect, test } from "vitest";
import { Arena } from "./arena.js";

test("each piece is zero, begins at a multiple of sixteen, and has sixteen bytes behind it that are its own", () => {
  const arena = new Arena(32);
  let end = 32;
  for (const size of [1, 15, 16, 17, 0, 100_000, 1, 400_000, 70_000, 8]) {
    const at = arena.allocate(size);
    expect([at % 16, at >= end, arena.bytes.length >= at + size + 16]).toEqual([0, true, true]);
    expect(arena.bytes.subarray(at, at + size + 16).some((byte) => byte !== 0)).toBe(false);
    arena.bytes.fill(255, at, at + size + 16);
    end = at + size + 16;
  }
});

test("all views are of the same memory, however often it has grown, and what was written stays", () => {
  const arena = new Arena(16);
  const first = arena.allocate(8);
  arena.doubles[first / 8] = 1.5;
  for (let times = 0; times < 5; times++) {
    const { buffer } = arena.memory;
    arena.allocate(buffer.byteLength);
    expect(arena.memory.buffer).not.toBe(buffer);
    for (const view of [arena.bytes, arena.words, arena.doubles]) {
      expect(view.buffer).toBe(arena.memory.buffer);
      expect(view.byteLength).toBe(arena.memory.buffer.byteLength);
    }
    expect(arena.doubles[first / 8]).toBe(1.5);
  }
});

test("there is some memory to spare each time, so that it does not grow with every piece", () => {
  const arena = new Arena(0);
  arena.allocate(arena.bytes.length);
  const { buffer } = arena.memory;
  for (let times = 0; times < 4; times++) arena.allocate(65_536 - 32);
  expect(arena.memory.buffer).toBe(buffer);
});

test("what does not fit into half a gibibyte is refused, and smaller pieces still are to be had", () => {
  const arena = new Arena(16);
  const { buffer } = arena.memory;
  expect(() => arena.allocate(2 ** 29 - 15)).toThrow(
    new RangeError("there is no memory for so many outcomes"),
  );
  expect(arena.allocate(16)).toBe(16);
  expect(arena.memory.buffer).toBe(buffer);
});
