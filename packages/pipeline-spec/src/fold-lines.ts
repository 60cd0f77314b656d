/**
 * Several lines as the one text that they are to YAML: blanks around line breaks do not count, a break is a blank, and
 * each empty line after it is a break. Blanks at the very beginning and end stay.
 */
export function foldLines(source: string): string {
  let end = source.indexOf("\n");
  if (end === -1) return source;
  let result = trimEnd(source.slice(0, end));
  let empty = 0;
  while (end !== -1) {
    const start = end + 1;
    end = source.indexOf("\n", start);
    const isLast = end === -1;
    const line = trimStart(source.slice(start, isLast ? source.length : end));
    const content = isLast ? line : trimEnd(line);
    if (content === "" && !isLast) {
      empty++;
      continue;
    }
    result += (empty === 0 ? " " : "\n".repeat(empty)) + content;
    empty = 0;
  }
  return result;
}

function trimStart(line: string): string {
  let start = 0;
  while (line[start] === " " || line[start] === "\t") start++;
  return line.slice(start);
}

/** A text without the blanks at its end. */
export function trimEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === " " || line[end - 1] === "\t") end--;
  return line.slice(0, end);
}
