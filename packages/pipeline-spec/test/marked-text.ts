import type { Problem, Range } from "../src/index.js";

/** A text with «marks» around one place: without them, and with the offsets of the place. */
export function marked(text: string): { text: string; start: number; end: number } {
  const start = text.indexOf("«");
  const end = text.indexOf("»") - 1;
  return { text: text.replace("«", "").replace("»", ""), start, end };
}

/** A text with the marks where a range says. */
export function withMarks(text: string, range: Range | undefined): string {
  if (range === undefined) return text;
  const { start, end } = range;
  return `${text.slice(0, start.offset)}«${text.slice(start.offset, end.offset)}»${text.slice(end.offset)}`;
}

/** Offsets counted from lines and columns, as an editor would. */
export function offsetsOf(text: string, { start, end }: Range): [number, number] {
  const lines = text.split("\n");
  const offset = (line: number, column: number) =>
    lines.slice(0, line - 1).reduce((sum, content) => sum + content.length + 1, 0) + column - 1;
  return [offset(start.line, start.column), offset(end.line, end.column)];
}

/** Code, path and place of problems, for tables. */
export function brief(problems: readonly Problem[]): string[] {
  return problems.map(
    ({ code, path, range }) => `${code} ${path} ${range?.start.line}:${range?.start.column}`,
  );
}
