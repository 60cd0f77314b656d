import { describe, expect, test } from "vitest";
import { BodyBuffer } from "./body-buffer.js";

describe("a body takes no more than twice its bytes, however small the chunks are", () => {
  for (const size of [1, 7, 1000, 65_536]) {
    test(`chunks of ${size}`, () => {
      const body = new BodyBuffer();
      const total = 100_000;
      const slab = Buffer.from(Array.from({ length: 65_536 }, (_, n) => n % 251));
      const expected: Buffer[] = [];
      let mostHeld = 0;
      while (body.size < total) {
        const from = (body.size * 13) % (slab.length - size + 1);
        const chunk = slab.subarray(from, from + size);
        body.add(chunk);
        expected.push(chunk);
        mostHeld = Math.max(mostHeld, body.held / body.size);
      }
      expect(mostHeld).toBeLessThanOrEqual(2);
      expect(body.bytes.equals(Buffer.concat(expected))).toBe(true);
    });
  }
});

test("there is no more room than the largest body takes", () => {
  const body = new BodyBuffer(1000);
  for (const [size, held] of [
    [600, 600],
    [1, 1000],
    [399, 1000],
  ] as const) {
    body.add(Buffer.alloc(size, size % 251));
    expect(body.held).toBe(held);
  }
  expect(body.bytes).toEqual(
    Buffer.concat([Buffer.alloc(600, 98), Buffer.alloc(1, 1), Buffer.alloc(399, 148)]),
  );
});

test("room that is there is used to its end before there is more", () => {
  const body = new BodyBuffer();
  const held = [500, 1, 499, 1].map((size) => {
    body.add(Buffer.allocUnsafeSlow(size));
    return body.held;
  });
  expect(held).toEqual([500, 1000, 1000, 2000]);
});

test("a chunk is kept as it came unless it is a small part of something larger", () => {
  const held = [100, 50, 49].map((size) => {
    const body = new BodyBuffer();
    body.add(Buffer.allocUnsafeSlow(100).subarray(100 - size));
    return [body.size, body.held];
  });
  expect(held).toEqual([
    [100, 100],
    [50, 100],
    [49, 49],
  ]);
});

test("a body that was cleared holds nothing, and another one begins", () => {
  const body = new BodyBuffer();
  for (const text of ["first", " body"]) body.add(Buffer.from(text));
  body.clear();
  expect([body.size, body.held, body.bytes.toString()]).toEqual([0, 0, ""]);
  for (const text of ["the", " other"]) body.add(Buffer.from(text));
  expect([body.size, body.bytes.toString()]).toEqual([9, "the other"]);
});
