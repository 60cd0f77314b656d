import { otherReading, readPlain } from "./plain-scalar.js";

/** A key longer than this must be marked as one. YAML allows 1024 characters. */
const longestPlainKey = 1000;

/**
 * Prints a JSON value as YAML in block style, so that every reader of YAML 1.1 or 1.2 gets the same value back: plain
 * text where no reader could take it for anything else, literal blocks for lines, and quotes for the rest: double ones, or
 * those with which least has to be escaped.
 */
export function printYaml(value: unknown, quotes: BlockStyle["quotes"] = "double"): string {
  return `${yamlLines(value, "", "", { ofMaps: "  ", ofLists: "", literals: "any", quotes }).join("\n")}\n`;
}

/** What ends with the dash of an item. */
const dash = /(?:^| )-$/;

/** How blocks are printed. */
export interface BlockStyle {
  /** How much further in a map is than the map that it is in. */
  readonly ofMaps: string;
  /** How much further in a list is than the map that it is in. */
  readonly ofLists: string;
  /** Which texts are literal blocks: any that can be, those to which no empty lines that follow would belong, or none. */
  readonly literals: "any" | "closed" | "none";
  /** The quotes of texts that need some: double ones by default, or single ones where those save escapes. */
  readonly quotes?: "double" | "fewest" | undefined;
}

/**
 * The lines of a value in block style. The first begins with `before`, which stands `indent` far in and is nothing, or ends with
 * the colon of a key or the dash of an item.
 */
export function yamlLines(value: unknown, before: string, indent: string, style: BlockStyle): string[] {
  const lines: string[] = [];
  printNode(value, before, indent, { lines, style });
  return lines;
}

interface Printed {
  readonly lines: string[];
  readonly style: BlockStyle;
}

/**
 * Adds the lines of a value. The first continues `before`, which is a key or the dash of a list item, unless the value
 * is a collection that has to start on a line of its own.
 */
function printNode(value: unknown, before: string, indent: string, printed: Printed): void {
  if (Array.isArray(value) && value.length > 0) {
    printList(value, before, indent, printed);
  } else if (typeof value === "object" && value !== null && Object.keys(value).length > 0) {
    printMap(Object.entries(value), before, indent, printed);
  } else {
    printScalar(value, before === "" ? "" : `${before} `, indent, printed);
  }
}

function printList(items: readonly unknown[], before: string, indent: string, printed: Printed): void {
  // A list in a list starts on the line of the outer dash.
  const inList = dash.test(before);
  if (before !== "" && !inList) printed.lines.push(before);
  const further = inList ? "  " : before === "" ? "" : printed.style.ofLists;
  const inner = indent + further;
  items.forEach((item, index) => {
    printNode(item, inList && index === 0 ? `${before} -` : `${inner}-`, inner, printed);
  });
}

function printMap(
  entries: readonly [string, unknown][],
  before: string,
  indent: string,
  printed: Printed,
): void {
  const inList = dash.test(before);
  if (before !== "" && !inList) printed.lines.push(before);
  const further = inList ? "  " : before === "" ? "" : printed.style.ofMaps;
  const inner = indent + further;
  entries.forEach(([key, value], index) => {
    const start = inList && index === 0 ? `${before} ` : inner;
    const name = isPlain(key) ? key : quoteIn(printed.style, key);
    if (name.length <= longestPlainKey) {
      printNode(value, `${start}${name}:`, inner, printed);
    } else {
      printed.lines.push(`${start}? ${name}`);
      printNode(value, `${inner}:`, inner, printed);
    }
  });
}

/** A value in one line: as JSON, in which texts and names that are plain to every reader have no quotes. */
export function yamlLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlLine).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value)
      .map(([name, item]) => `${yamlLine(name)}: ${yamlLine(item)}`)
      .join(", ")}}`;
  }
  if (typeof value !== "string") return printAtom(value);
  return isPlain(value) && !/[,:?[\]{}]/.test(value) ? value : quote(value);
}

function printScalar(value: unknown, before: string, indent: string, { lines, style }: Printed): void {
  if (typeof value !== "string") {
    lines.push(before + printAtom(value));
  } else if (isPlain(value)) {
    lines.push(before + value);
  } else if (before !== "" && isLiteral(value, style)) {
    printBlock(value, before, indent + style.ofMaps, lines);
  } else {
    lines.push(before + quoteIn(style, value));
  }
}

function printAtom(value: unknown): string {
  if (typeof value !== "number")
    return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
  if (Object.is(value, -0)) return "-0.0";
  // Readers of YAML 1.1 want a point in a number with an exponent.
  return String(value).replace(/^(-?\d+)e/, "$1.0e");
}

// Not the start of something else, nothing that ends a plain scalar, no space at its end.
const plain = /^(?:[A-Za-z0-9_/.$(+\\;^\u00a1-\u1fff]|-[\w-])(?!.*(?:: |:$| #| $))[\x20-\x7e\u00a1-\u1fff]*$/;
// What some readers of YAML 1.1 take for a boolean, and the markers of documents.
const notPlain = /^(?:[yYnN]|---.*|\.\.\..*)$/;

function isPlain(text: string): boolean {
  if (!plain.test(text) || notPlain.test(text)) return false;
  return readPlain(text) === text && otherReading(text, text) === undefined;
}

// Lines of printable characters, of which the first may be empty but not blank.
const block =
  /^\n*[\x21-\x7e\u00a1-\u1fff\u3001-\ud7ff\u{10000}-\u{10ffff}][\t\n\x20-\x7e\u00a0-\u1fff\u3000-\ud7ff\u{10000}-\u{10ffff}]*$/u;

/** True for lines that a literal block gives back as they are. */
function isLiteral(text: string, { literals }: BlockStyle): boolean {
  if (literals === "none" || (literals === "closed" && text.endsWith("\n\n"))) return false;
  return text.includes("\n") && block.test(text);
}

function printBlock(text: string, before: string, indent: string, lines: string[]): void {
  const ends = text.endsWith("\n\n") ? "+" : text.endsWith("\n") ? "" : "-";
  lines.push(`${before}|${ends}`);
  const content = ends === "-" ? text : text.slice(0, -1);
  for (const line of content.split("\n")) lines.push(line === "" ? "" : indent + line);
}

// What stands as it is in single quotes, on one line that is neither folded nor trimmed.
const printable = /^[\x20-\x7e\u00a1-\u1fff\u3001-\ud7ff\u{10000}-\u{10ffff}]*$/u;

function quoteIn({ quotes = "double" }: BlockStyle, text: string): string {
  const single = quotes === "fewest" && /["\\]/.test(text) && printable.test(text);
  return single ? `'${text.replaceAll("'", "''")}'` : quote(text);
}

/** A text in double quotes, as YAML and as JSON. */
export function quote(text: string): string {
  return escapeOdd(JSON.stringify(text));
}

/** JSON in which characters that YAML does not allow as they are, or reads as ends of lines, get their numbers. */
export function escapeOdd(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
