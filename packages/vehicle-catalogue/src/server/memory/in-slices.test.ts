import { describe, expect, test } from "vitest";
import type { Sliced } from "../../records/sliced.js";
import { inSlices, soon } from "./in-slices.js";

/** Work that takes so many slices. */
function* longWork(slices: number, begun: () => void = () => {}): Sliced<number> {
  for (let slice = 0; slice < slices; slice++) {
    begun();
    const until = performance.now() + 3;
    while (performance.now() < until) {
      // It is busy.
    }
    yield;
  }
  return slices;
}

describe("work in slices", () => {
  test("that is done within the first is there at once", () => {
    function* short(): Sliced<string> {
      yield;
      return "done";
    }
    expect(soon(short())).toBe("done");
  });

  test("gets one slice in each turn of the event loop, however many pieces of it there are", async () => {
    let slices = 0;
    const perTurn: number[] = [];
    let running = true;
    const works = Promise.all([3, 4, 5].map((length) => inSlices(longWork(length, () => void slices++))));
    slices = 0;
    const ended = works.finally(() => {
      running = false;
    });
    while (running) {
      await new Promise((resolve) => setImmediate(resolve));
      perTurn.push(slices);
      slices = 0;
    }
    expect(await ended).toEqual([3, 4, 5]);
    expect(Math.max(...perTurn)).toBe(1);
    expect(perTurn.reduce((sum, count) => sum + count, 0)).toBe(2 + 3 + 4);
  });

  test("gets its turns in the order in which it came, and none waits until another is through", async () => {
    const order: string[] = [];
    const lengths = Object.entries({ a: 4, b: 3, c: 4 });
    await Promise.all(
      lengths.map(([name, length]) => inSlices(longWork(length, () => void order.push(name)))),
    );
    expect(order.join("")).toBe("abcabcabcac");
  });

  test("that is given up while it waits for its turn goes no further", async () => {
    const controller = new AbortController();
    let slices = 0;
    const given = soon(
      longWork(4, () => void slices++),
      controller,
    );
    controller.abort(new Error("gone"));
    await expect(given).rejects.toThrow("gone");
    expect(slices).toBe(1);
  });

  test("that throws, or is given up, does not hold up the others", async () => {
    function* failing(): Sliced<never> {
      yield* longWork(2);
      throw new Error("broken");
    }
    const controller = new AbortController();
    const given = soon(longWork(3), controller);
    controller.abort(new Error("gone"));
    const [failed, gone, done] = await Promise.allSettled([
      inSlices(failing()),
      given,
      inSlices(longWork(4)),
    ]);
    expect([failed, gone]).toMatchObject([
      { reason: { message: "broken" } },
      { reason: { message: "gone" } },
    ]);
    expect(done).toMatchObject({ value: 4 });
  });
});
