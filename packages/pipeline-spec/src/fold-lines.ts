/**
 * Several lines as the one text that they are to YAML: blanks around line breaks do not count, a break is a blank, and
 * each empty line after it is a break. Blanks at the very beginning and end stay.
 */
export function foldLines(source: string): string {
  if (!source.includes("\n")) return source;
  const lines = source.split("\n");
  const last = lines.length - 1;
  let result = trimEnd(lines[0] ?? "");
  let empty = 0;
  for (let index = 1; index <= last; index++) {
    const line = trimStart(lines[index] ?? "");
    const content = index === last ? line : trimEnd(line);
    if (content === "" && index < last) {
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
