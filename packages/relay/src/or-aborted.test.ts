import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { orAborted } from "./or-aborted.js";

const never = new Promise<never>(() => {});
const gone = new Error("gone");

test("gives what the promise gives, and leaves no listener", async () => {
  const { signal } = new AbortController();
  expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(orAborted(Promise.reject(gone), signal)).rejects.toBe(gone);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("rejects as soon as the signal is aborted, and leaves no listener", async () => {
  const controller = new AbortController();
  const waiting = orAborted(never, controller.signal);
  controller.abort(gone);
  await expect(waiting).rejects.toBe(gone);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});

test("rejects when the signal was aborted before, whatever becomes of the promise", async () => {
  await expect(orAborted(never, AbortSignal.abort(gone))).rejects.toBe(gone);
  await expect(orAborted(Promise.reject(new Error("late")), AbortSignal.abort(gone))).rejects.toBe(gone);
});
