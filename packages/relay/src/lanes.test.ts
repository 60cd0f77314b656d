import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { createLanes } from "./lanes.js";

test("so many tasks run at a time, the others in order, whatever becomes of those before", async () => {
  const lanes = createLanes(2);
  const started: number[] = [];
  const ends = new Map<number, { resolve: (value: number) => void; reject: (error: Error) => void }>();
  const results = [0, 1, 2, 3].map((n) =>
    lanes(
      () =>
        new Promise<number>((resolve, reject) => {
          started.push(n);
          ends.set(n, { resolve, reject });
        }),
    ),
  );
  expect(started).toEqual([0, 1]);
  ends.get(1)?.reject(new Error("no"));
  await expect(results[1]).rejects.toThrow("no");
  expect(started).toEqual([0, 1, 2]);
  ends.get(0)?.resolve(0);
  ends.get(2)?.resolve(2);
  await Promise.all([results[0], results[2]]);
  expect(started).toEqual([0, 1, 2, 3]);
  ends.get(3)?.resolve(3);
  expect(await results[3]).toBe(3);
  expect(await lanes(async () => "free again")).toBe("free again");
});

test("one that comes while another has its lane from one before waits", async () => {
  const lanes = createLanes(1);
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const run = (name: string) =>
    lanes(() => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  void run("a");
  void run("b");
  ends[0]?.();
  await turn();
  void run("c");
  await turn();
  expect(begun).toEqual(["a", "b"]);
  ends[1]?.();
  await turn();
  expect(begun).toEqual(["a", "b", "c"]);
});

test("one that is no longer wanted leaves its place to those behind it, and one that runs is not touched", async () => {
  const lanes = createLanes(1);
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const controllers = new Map(["a", "b", "c"].map((name) => [name, new AbortController()]));
  const run = (name: string) =>
    lanes(() => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    }, controllers.get(name)?.signal);
  const [a, b, c] = ["a", "b", "c"].map(run);
  controllers.get("b")?.abort(new Error("not wanted"));
  await expect(b).rejects.toThrow("not wanted");
  await expect(run("b")).rejects.toThrow("not wanted");
  controllers.get("a")?.abort(new Error("too late"));
  ends[0]?.();
  expect(await a).toBe("a");
  ends[1]?.();
  controllers.get("c")?.abort();
  expect(await c).toBe("c");
  expect(begun).toEqual(["a", "c"]);
  expect(await lanes(async () => "free again")).toBe("free again");
  await expect(run("b")).rejects.toThrow("not wanted");
  expect(await lanes(async () => "still free")).toBe("still free");
});

test("nothing is left of a task on the signal that may end its waiting, nor is another reason given than the signal's", async () => {
  const lanes = createLanes(1);
  const { signal } = new AbortController();
  let free = () => {};
  const first = lanes(
    () =>
      new Promise<void>((resolve) => {
        free = resolve;
      }),
    signal,
  );
  const second = lanes(async () => "done", signal);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  const given = new AbortController();
  const third = lanes(async () => "never", given.signal);
  const reason = { any: "thing" };
  given.abort(reason);
  await expect(third).rejects.toBe(reason);
  free();
  await first;
  expect([await second, getEventListeners(signal, "abort")]).toEqual(["done", []]);
});
