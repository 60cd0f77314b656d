import { expect, test } from "vitest";
import { messageOf, stackOf } from "./message-of.js";

const hostile = Object.create(null);
const lying = Object.defineProperty(new Error("x"), "message", {
  get() {
    throw new Error("no message");
  },
});

const cases: { name: string; thrown: unknown; message: string }[] = [
  { name: "an error", thrown: new Error("it broke"), message: "it broke" },
  { name: "a text", thrown: "it broke", message: "it broke" },
  { name: "nothing", thrown: undefined, message: "undefined" },
  { name: "what has no text form", thrown: hostile, message: "something that cannot be shown" },
  { name: "an error that throws", thrown: lying, message: "something that cannot be shown" },
  { name: "an error without a word", thrown: new TypeError(), message: "TypeError" },
  {
    name: "an error with only a code",
    thrown: Object.assign(new Error(), { code: "EPIPE" }),
    message: "EPIPE",
  },
  { name: "several errors", thrown: new AggregateError([new Error("one"), "two"]), message: "one; two" },
  { name: "one error in a list", thrown: new AggregateError([new Error("one")]), message: "one" },
  { name: "no errors at all", thrown: new AggregateError([]), message: "AggregateError" },
  { name: "a symbol", thrown: Symbol("x"), message: "Symbol(x)" },
];
for (const { name, thrown, message } of cases) {
  test(`of ${name} there is something to say`, () => expect(messageOf(thrown)).toBe(message));
}

test("of an error there is the place as well", () => {
  expect(stackOf(new Error("it broke"))).toMatch(/it broke\n +at /);
  expect(stackOf("text")).toBe("text");
  expect(stackOf(hostile)).toBe("something that cannot be shown");
});
