import { getEventListeners } from "node:events";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { discard } from "./discard.js";

const part = 1024;
const pieces = (count: number) => Array.from({ length: count }, () => Buffer.alloc(part));

test.each([
  ["that ends", () => Readable.from(pieces(16)), true],
  ["that goes on and on", () => Readable.from(pieces(1000)), false],
  [
    "that breaks off",
    () =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(part);
          throw new Error("broken off");
        })(),
      ),
    false,
  ],
])("a body %s is read as far as it is worth, and nothing listens afterwards", async (_, bodyOf, isWhole) => {
  const { signal } = new AbortController();
  const body = bodyOf();
  await discard(body, signal);
  expect(body.readableEnded).toBe(isWhole);
  expect(body.destroyed).toBe(true);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test.each([
  ["is aborted", false],
  ["was aborted", true],
])("a body without an end is let go when the signal %s", async (_, before) => {
  const controller = new AbortController();
  const body = new Readable({ read() {} });
  if (before) controller.abort();
  const done = discard(body, controller.signal);
  controller.abort();
  await done;
  expect(body.destroyed).toBe(true);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});
