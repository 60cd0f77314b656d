import { expect, test } from "vitest";
import { LineTable } from "./line-table.js";

test.each<[text: string, places: readonly string[]]>([
  ["", ["1:1"]],
  ["a", ["1:1", "1:2"]],
  ["\n", ["1:1", "2:1"]],
  ["a\nb\n", ["1:1", "1:2", "2:1", "2:2", "3:1"]],
  ["a\r\nb", ["1:1", "1:2", "1:3", "2:1", "2:2"]],
  ["a\rb", ["1:1", "1:2", "2:1", "2:2"]],
  ["\r\r\n\n", ["1:1", "2:1", "2:2", "3:1", "4:1"]],
  ["é\u2028😀\nb", ["1:1", "1:2", "1:3", "1:4", "1:5", "2:1", "2:2"]],
])("each place of %j has its line and column", (text, places) => {
  const table = new LineTable(text);
  const found = places.map((_, offset) => table.range([offset, text.length]));
  expect(found.map(({ start }) => `${start.line}:${start.column}`)).toEqual(places);
  expect(found.map(({ start }) => start.offset)).toEqual(places.map((_, offset) => offset));
  expect(found.map(({ end }) => `${end.line}:${end.column} ${end.offset}`)).toEqual(
    places.map(() => `${places.at(-1)} ${text.length}`),
  );
});

test("the lines of a long text are found wherever they are", () => {
  const text = Array.from({ length: 100 }, (_, line) => `${"x".repeat(line % 3)}\n`).join("");
  const table = new LineTable(text);
  let [line, column] = [1, 1];
  for (let offset = 0; offset <= text.length; offset++) {
    expect(table.range([offset, offset]).start).toEqual({ offset, line, column });
    [line, column] = text[offset] === "\n" ? [line + 1, 1] : [line, column + 1];
  }
});
