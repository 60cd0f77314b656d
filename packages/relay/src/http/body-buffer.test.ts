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
