import { expect, test } from "vitest";
import { readShortfalls } from "./read-shortfalls.js";

const example = '{ staging: { options: { sdkKey: "…" }, problem: "…" } }';
const one = { options: { sdkKey: "sdk-1" }, problem: "no more room" };

test("each environment is there with what it should be, and why it is not", () => {
  const { staging, ...none } = Object.fromEntries(readShortfalls({ staging: one }));
  expect([staging?.wanted, none]).toEqual([one.options, {}]);
  expect(staging?.error).toMatchObject({ code: "invalid_options", message: "no more room" });
});

test.each([
  [null, ` takes an object such as ${example}, not null`],
  [[], ` takes an object such as ${example}, not a list`],
  [{ "": one }, ': the name of the environment must be text that is not empty, not ""'],
  [{ a: 5 }, ` takes an object such as ${example}, not number`],
  [{ a: { ...one, error: 1 } }, `: there is no "error"; there is options, problem, as in ${example}`],
  [{ a: { problem: "x" } }, ` takes an object such as ${example}, not undefined`],
  [{ a: { options: {} } }, ` takes text such as ${example}, not undefined`],
])("what is called with %j says so", (given, says) => {
  // What a program without types may pass.
  const call = () => readShortfalls(given as Parameters<typeof readShortfalls>[0]);
  expect(call).toThrow(new TypeError(`environments.setUnserved${says}`));
});
