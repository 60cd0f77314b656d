import type { SyntaxCause } from "./syntax-cause.js";

/** Lines are not looked through any further than this for one that encloses another. */
const farthest = 100_000;

/** A dash among the keys of a map, or less far in than the key that its list belongs to. */
export function inDashes(text: string, lineStart: number, lineEnd: number): SyntaxCause | undefined {
  const line = text.slice(lineStart, lineEnd);
  return amongKeys(text, line, lineStart) ?? besideKey(text, line, lineStart, lineEnd);
}

function amongKeys(text: string, line: string, lineStart: number): SyntaxCause | undefined {
  if (!/^ *- /.test(line)) return undefined;
  const column = line.indexOf("-");
  const [above, directly] = lineAbove(text, lineStart, column);
  // A list may stand directly below its key, as far in as that.
  if (above === undefined || directly || indentOf(above) !== column || /^ *-(?: |$)/.test(above))
    return undefined;
  return {
    message: "a list item stands among the keys of a map",
    span: [lineStart + column, lineStart + line.trimEnd().length],
    hint: "write a key and a colon in the place of the dash",
  };
}

function besideKey(text: string, line: string, lineStart: number, lineEnd: number): SyntaxCause | undefined {
  const [, name] = /^ *(?:- +)?([\w"'-]+): *\r?$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const next = /(?:\n[ \r]*(?=\n))*\n( *)- [^\n]*/y;
  next.lastIndex = lineEnd;
  const [whole = "", blanks = ""] = next.exec(text) ?? [];
  if (whole === "" || blanks.length >= line.indexOf(name)) return undefined;
  const [above] = lineAbove(text, lineStart, blanks.length);
  // It belongs to a list or a map further out.
  if (above !== undefined && indentOf(above) === blanks.length) return undefined;
  const end = lineEnd + whole.trimEnd().length;
  return {
    message: "this list item is less far in than its key",
    span: [lineEnd + whole.lastIndexOf("\n") + 1 + blanks.length, end],
    hint: `put it as far in as ${name}, or farther`,
  };
}

/** The nearest line above that is no farther in than so many columns, and whether nothing stands between. */
function lineAbove(
  text: string,
  lineStart: number,
  column: number,
): readonly [line: string | undefined, directly: boolean] {
  let directly = true;
  const first = Math.max(0, lineStart - farthest);
  for (let end = lineStart - 1; end >= first; ) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end);
    if (line.trim() !== "" && !line.trimStart().startsWith("#")) {
      if (indentOf(line) <= column) return [line, directly];
      directly = false;
    }
    end = start - 1;
  }
  return [undefined, directly];
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
