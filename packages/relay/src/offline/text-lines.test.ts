import { expect, test } from "vitest";
import { linesOf } from "./text-lines.js";

test.each(["", "a", "\n", "a\nb", "a\n\nbc\n", "\n\n\n", "ab\ncd\nef\ngh\ni"])("the lines of %j", (text) => {
  const lines = linesOf(text);
  for (let offset = 0; offset <= text.length; offset++)
    expect(lines.at(offset), `${offset}`).toBe(text.slice(0, offset).split("\n").length);
});
