import { expect, test } from "vitest";
import { callHost, demandMade, withoutRejection } from "./call-host.js";

const turn = () => new Promise(setImmediate);

test.each<[string, () => unknown, unknown]>([
  [
    "throws",
    () => {
      throw "now";
    },
    "now",
  ],
  ["rejects", () => Promise.reject("later"), "later"],
  ["gives something", () => 5, undefined],
  ["resolves", () => Promise.resolve("late"), undefined],
])("of a function of the host that %s it is told how it failed", async (_what, call, failure) => {
  const failures: unknown[] = [];
  callHost(call, (error) => failures.push(error));
  await turn();
  expect(failures).toEqual(failure === undefined ? [] : [failure]);
});

test("what the host has given is given on, also when it is a promise that fails, which harms nobody", async () => {
  const failing = Promise.reject(new Error("late"));
  expect([withoutRejection(failing) === failing, withoutRejection(5)]).toEqual([true, 5]);
  // The runner of tests reports what nobody has caught.
  await turn();
});

const start = () => {};
const both: readonly never[] = ["start", "close"] as never;

test.each<[string, unknown]>([
  ["an object", { start, close: start }],
  ["a function", Object.assign(() => {}, { start, close: start })],
  [
    "an instance",
    new (class {
      start() {}
      close() {}
    })(),
  ],
])("%s with the methods is what a factory has to make", (_what, made) => {
  expect(demandMade("what it makes", made, both)).toBe(made);
});

test.each<[string, () => unknown, string]>([
  ["nothing", () => undefined, "start, close"],
  ["null", () => null, "start, close"],
  ["a text", () => "start", "start, close"],
  ["a function", () => () => {}, "start, close"],
  ["an object without one of them", () => ({ start }), "close"],
  ["an object with one that is none", () => ({ start: true, close: start }), "start"],
  ["a promise", async () => ({ start, close: start }), "start, close; it must not be a promise"],
  ["a promise that fails", () => Promise.reject("late"), "start, close; it must not be a promise"],
])("%s is refused with what is missing, and harms nobody", async (_what, make, missing) => {
  expect(() => demandMade("what it makes", make(), both)).toThrow(
    new TypeError(`what it makes must be an object with the methods start, close; missing: ${missing}`),
  );
  await turn();
});
