/** A text of lines behind `|` or `>`. */
export interface BlockText {
  readonly text: string;
  /** Where its last line that is not empty ends. */
  readonly end: number;
  /** The line break, or the end of the text, behind all of its lines. */
  readonly next: number;
}

const header = /[|>](?:([+-])?([1-9])?|([1-9])([+-])) *\n/y;

/**
 * Reads the lines that belong to the header at `start`: those further in than `parent`. Undefined for anything out of the
 * ordinary, such as no lines, or lines further in than the first where that has a meaning.
 */
export function readBlockText(source: string, start: number, parent: number): BlockText | undefined {
  header.lastIndex = start;
  const match = header.exec(source);
  if (match === null) return undefined;
  const chomp = match[1] ?? match[4] ?? "";
  const digit = match[2] ?? match[3];
  const first = header.lastIndex;
  const lines = measure(source, first, parent, digit === undefined ? undefined : parent + Number(digit));
  if (lines === undefined) return undefined;
  const { indent, end, next } = lines;
  const content = source.slice(first, end);
  const text = source[start] === "|" ? literal(content, indent) : folded(content, indent);
  if (text === undefined) return undefined;
  // A last line that the file breaks off is not ended.
  const breaks = breaksBetween(source, end, next);
  const kept = chomp === "-" ? 0 : chomp === "" ? Math.min(1, breaks) : breaks;
  return { text: text + "\n".repeat(kept), end, next };
}

interface Extent {
  readonly indent: number;
  readonly end: number;
  readonly next: number;
}

/** Finds the lines from `first` that belong to a text, whose indentation is that of the first unless it is given. */
function measure(
  source: string,
  first: number,
  parent: number,
  given: number | undefined,
): Extent | undefined {
  let indent = given;
  let end = -1;
  // The empty lines before or behind the others must not be further in than these.
  let widest = 0;
  let line = first;
  while (line < source.length) {
    let at = line;
    while (source.charCodeAt(at) === 0x20) at++;
    const lineEnd = endOfLine(source, at);
    if (at === lineEnd) {
      widest = Math.max(widest, at - line);
    } else {
      // To some readers a tab is no text here.
      if (indent === undefined && source.charCodeAt(at) === 0x09) return undefined;
      indent ??= at - line;
      if (at - line < indent || indent <= parent) break;
      if (end === -1 && widest > indent) return undefined;
      end = lineEnd;
      widest = 0;
    }
    line = lineEnd + 1;
  }
  if (end === -1 || indent === undefined || widest > indent) return undefined;
  return { indent, end, next: line < source.length ? line - 1 : source.length };
}

function endOfLine(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end === -1 ? source.length : end;
}

function literal(content: string, indent: number): string {
  let text = "";
  let copied = 0;
  for (let line = 0; line < content.length; line = endOfLine(content, line) + 1) {
    // Empty lines may be less far in than the others.
    let start = line;
    while (start < line + indent && content.charCodeAt(start) === 0x20) start++;
    if (start === line) continue;
    text += content.slice(copied, line);
    copied = start;
  }
  return text + content.slice(copied);
}

/** One line for several, broken where lines are empty. Lines further in than the others are left to another reader. */
function folded(content: string, indent: number): string | undefined {
  let text = "";
  let empty = 0;
  for (let line = 0, end = 0; line < content.length; line = end + 1) {
    end = endOfLine(content, line);
    const start = line + indent;
    if (start >= end) {
      empty++;
      continue;
    }
    if (content[start] === " " || content[start] === "\t") return undefined;
    text += (empty === 0 && text !== "" ? " " : "\n".repeat(empty)) + content.slice(start, end);
    empty = 0;
  }
  return text;
}

function breaksBetween(source: string, from: number, to: number): number {
  let count = 0;
  for (let at = source.indexOf("\n", from); at !== -1 && at <= to; at = source.indexOf("\n", at + 1)) count++;
  return count;
}
