import { describe, expect, it } from "vitest";
import { readAtMost } from "./read-at-most.js";

describe("what is read", () => {
  it("is everything, up to the limit", async () => {
    const bytes = await readAtMost(chunksOf([1, 2], [], [3]), 3);
    expect([...(bytes ?? [])]).toEqual([1, 2, 3]);
  });

  it("ends at the first byte too many, and leaves the rest alone", async () => {
    let asked = 0;
    async function* withoutEnd() {
      for (;;) {
        asked++;
        yield new Uint8Array(2);
      }
    }
    expect(await readAtMost(withoutEnd(), 5)).toBeUndefined();
    expect(asked).toBe(3);
  });
});

async function* chunksOf(...chunks: number[][]) {
  for (const chunk of chunks) yield Uint8Array.from(chunk);
}
