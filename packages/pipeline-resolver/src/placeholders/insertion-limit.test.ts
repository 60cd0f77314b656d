import { describe, expect, test } from "vitest";
import { InsertionLimit } from "./insertion-limit.js";

const room = 32 * 1024 * 1024;
const text = (length: number) => "x".repeat(length);

/** Whether a limit that has so much room left takes a value, and then just what the value is said to take. */
function cost(value: unknown, expected: number): readonly boolean[] {
  const [exact, short] = [new InsertionLimit(), new InsertionLimit()];
  exact.take(text(room - expected));
  short.take(text(room - expected + 1));
  return [exact.takeAll(value), exact.take("x"), short.takeAll(value)];
}

test("texts are taken up to the last character", () => {
  const limit = new InsertionLimit();
  expect([limit.take(text(room - 1)), limit.take("x"), limit.take(""), limit.take("x")]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

describe("a value takes its texts and one for each of its parts", () => {
  test.each<[string, unknown, number]>([
    ["nothing", null, 1],
    ["a number", 12345, 1],
    ["an empty text", "", 1],
    ["a text", text(999), 1000],
    ["an empty list", [], 1],
    ["a list of texts", ["ab", "cde"], 1 + 3 + 4],
    ["a struct", { key: "ab", other: { deeper: ["cde", true] } }, 1 + 3 + 1 + 1 + 4 + 1],
  ])("%s", (_, value, expected) => {
    expect(cost(value, expected)).toEqual([true, false, false]);
  });

  test("the same list as often as it is in there", () => {
    const list = [text(99)];
    expect(cost([list, list, list], 1 + 3 * (1 + 100))).toEqual([true, false, false]);
  });
});
