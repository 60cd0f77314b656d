import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { onAbort } from "./on-abort.js";
import { pause, unlessAborted } from "./unless-aborted.js";

const listeners = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

describe("who waits for a signal", () => {
  test("is called once when it is aborted, with all others, over one listener", () => {
    const controller = new AbortController();
    const { signal } = controller;
    const called: string[] = [];
    const call = (): void => void called.push("a");
    onAbort(signal, call);
    onAbort(signal, call);
    const leave = onAbort(signal, () => called.push("b"));
    expect(listeners(signal)).toBe(1);
    controller.abort();
    expect([called, listeners(signal)]).toEqual([["a", "a", "b"], 0]);
    leave();
    expect(called).toHaveLength(3);
  });

  test("is not called after leaving, and the last one takes the listener along", () => {
    const controller = new AbortController();
    const { signal } = controller;
    const called: string[] = [];
    const leaves = ["a", "b"].map((name) => onAbort(signal, () => called.push(name)));
    leaves[0]?.();
    expect(listeners(signal)).toBe(1);
    leaves[1]?.();
    leaves[1]?.();
    expect(listeners(signal)).toBe(0);
    onAbort(signal, () => called.push("c"));
    expect(listeners(signal)).toBe(1);
    leaves[0]?.();
    controller.abort();
    expect(called).toEqual(["c"]);
  });

  test("leaves others alone that have come after a break", () => {
    const controller = new AbortController();
    const called: string[] = [];
    const first = onAbort(controller.signal, () => called.push("a"));
    first();
    onAbort(controller.signal, () => called.push("b"));
    first();
    onAbort(controller.signal, () => called.push("c"));
    expect(listeners(controller.signal)).toBe(1);
    controller.abort();
    expect(called).toEqual(["b", "c"]);
  });
});

describe("a promise, or the reason of a signal:", () => {
  const reason = new Error("enough");

  test("the promise where it is first, and nothing is left", async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(signal, Promise.resolve(5))).toBe(5);
    expect(await unlessAborted(signal, 6)).toBe(6);
    await expect(unlessAborted(signal, Promise.reject(reason))).rejects.toBe(reason);
    await new Promise((resolve) => setImmediate(resolve));
    expect(listeners(signal)).toBe(0);
  });

  test("the reason where that is first, or has come before", async () => {
    const controller = new AbortController();
    const never = new Promise<never>(() => {});
    const waiting = unlessAborted(controller.signal, never);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(unlessAborted(controller.signal, Promise.resolve(5))).rejects.toBe(reason);
    await expect(unlessAborted(controller.signal, never)).rejects.toBe(reason);
    expect(listeners(controller.signal)).toBe(0);
  });

  test("a pause takes its timer back, whichever it is", async () => {
    const timers = new Map<number, () => void>();
    const clock = {
      now: () => 0,
      random: () => 0,
      after: (ms: number, run: () => void) => {
        timers.set(ms, run);
        return () => void timers.delete(ms);
      },
    };
    const controller = new AbortController();
    const [first, second] = [pause(5, clock, controller.signal), pause(7, clock, controller.signal)];
    expect([...timers.keys()]).toEqual([5, 7]);
    timers.get(5)?.();
    expect(await first).toBeUndefined();
    expect([...timers.keys()]).toEqual([7]);
    controller.abort(reason);
    await expect(second).rejects.toBe(reason);
    expect([...timers.keys()]).toEqual([]);
  });
});
