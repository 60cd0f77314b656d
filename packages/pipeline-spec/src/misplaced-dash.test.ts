import { expect, test } from "vitest";
import { inDashes } from "./misplaced-dash.js";

/** What is told of the line that is marked by `»`, with the stretch that it is told of. */
function told(marked: string): readonly [message: string, stretch: string, hint: string] | undefined {
  const start = marked.indexOf("»");
  const text = marked.replace("»", "");
  const end = text.indexOf("\n", start);
  const cause = inDashes(text, start, end === -1 ? text.length : end);
  return cause && [cause.message, text.slice(...cause.span), cause.hint];
}

const among = "a list item stands among the keys of a map";
const beside = "this list item is less far in than its key";

test.each([
  ["a:\n  b: c\n    d\n»  - e: f  \r\n  g: h", "- e: f"],
  ["a:\n  b: c\n    # d\n\n  # e\n   f\n»  - g", "- g"],
  ["a:\n  b: c\n    d\n \n»  - e", "- e"],
  [`a: b\n${`  ${"x".repeat(98)}\n`.repeat(900)}»- c`, "- c"],
])("an item among keys is told from its dash to the end of its text: %#", (text, stretch) => {
  expect(told(text)).toEqual([among, stretch, "write a key and a colon in the place of the dash"]);
});

test.each([
  ["directly below its key", "a:\n»- c"],
  ["below its key and a comment", "a:\n  # b\n\n»- c"],
  ["below another item", "a:\n- b: c\n  d: e\n»- c"],
  ["below an empty item", "a:\n-\n  b: c\n»- c"],
  ["below an empty item and an empty line", "a:\n-\n\n  b: c\n»- c"],
  ["below what is less far in", "a:\n    b: c\n»  - d"],
  ["at the beginning", "»- a"],
  ["below comments alone", "# a\n\n»- a"],
])("an item %s is none among keys", (_, text) => {
  expect(told(text)).toBeUndefined();
});

test.each([
  ["a:\n»  args:\n - b  \n  c: d", "- b", "args"],
  ["a:\n»  args: \r\n \r\n\n - b\r\n - c", "- b", "args"],
  ["a:\n»  - args:\n   - b", "- b", "args"],
  ["»  args:\n- b\n- c", "- b", "args"],
  ["»  args:\n - b", "- b", "args"],
  ["a:\n# c: d\n    e: f\n»  'x-y':\n - b", "- b", "'x-y'"],
])("an item that is less far in than its key is told: %#", (text, stretch, key) => {
  expect(told(text)).toEqual([beside, stretch, `put it as far in as ${key}, or farther`]);
});

test.each([
  ["as far in as its key", "a:\n»  args:\n  - b"],
  ["of the list that the key is in", "a:\n- b\n»- args:\n- c"],
  ["of a list further out", "a:\n - b: c\n»   args:\n - d"],
  ["below a key with a value", "a:\n»  args: b\n - c"],
  ["below a key of two words", "a:\n»  my args:\n - b"],
  ["behind another line", "a:\n»  args:\n    c: d\n - b"],
])("an item %s is none that is less far in than its key", (_, text) => {
  expect(told(text)).toBeUndefined();
});

test("a list of a key that stands 100,000 characters above is not looked for", () => {
  expect(told(`a: b\n${`  ${"x".repeat(98)}\n`.repeat(1_000)}»- c`)).toBeUndefined();
});
