import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { onAbort } from "./on-abort.js";

test("whoever listens to a signal no longer keeps no other from it, and all share one listener", () => {
  const controller = new AbortController();
  const { signal } = controller;
  const heard: string[] = [];
  const [stop] = ["a", "b", "c"].map((name) => onAbort(signal, () => heard.push(name)));
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  stop?.();
  controller.abort();
  expect(heard).toEqual(["b", "c"]);
});

test("a signal to which nobody listens any more has no listener", () => {
  const { signal } = new AbortController();
  const stops = [1, 2].map(() => onAbort(signal, () => {}));
  for (const stop of stops) stop();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
