import { CharSet } from "./char-set.js";
import { parseEscape, parseNamedSet, parsePosixSet } from "./parse-escape.js";
import { type Assertion, type Node, PatternSyntaxError, type Repeat } from "./syntax-tree.js";
import { TextCursor } from "./text-cursor.js";

interface Flags {
  /** `i`: upper and lower case are the same. */
  readonly fold: boolean;
  /** `m`: `^` and `$` also match at the ends of lines. */
  readonly multiLine: boolean;
  /** `s`: `.` matches line ends too. */
  readonly dotAll: boolean;
}

/** A repetition as it is written. */
interface Count {
  readonly min: number;
  readonly max: number;
  readonly counted: boolean;
}

/** Characters from here on may stand for others as well: a lone surrogate is taken for U+FFFD. */
const ASCII = 128;
const MAX_DEPTH = 500;
const MAX_COUNT = 1000;

const assertionEscapes: readonly (readonly [string, Assertion])[] = [
  ["\\A", "beginText"],
  ["\\z", "endText"],
  ["\\b", "wordBoundary"],
  ["\\B", "noWordBoundary"],
];

/** Reads a regular expression in the syntax of RE2. Throws a {@link PatternSyntaxError}. */
export function parsePattern(text: string): Node {
  const parser = new PatternParser(text);
  return parser.parse();
}

class PatternParser {
  readonly #cursor: TextCursor;
  readonly #names = new Set<string>();
  #flags: Flags = { fold: false, multiLine: false, dotAll: false };
  #depth = 0;

  constructor(text: string) {
    this.#cursor = new TextCursor(text);
  }

  parse(): Node {
    const node = this.#parseChoice();
    if (!this.#cursor.done) throw new PatternSyntaxError("closes a group that is not open");
    return node;
  }

  /** Reads alternatives up to the end of the group. */
  #parseChoice(): Node {
    const cursor = this.#cursor;
    const choices: Node[][] = [[]];
    let repeated = false;
    while (!cursor.done && !cursor.sees(")")) {
      const sequence = choices.at(-1) ?? [];
      const count = this.#takeCount();
      if (count === undefined) {
        repeated = false;
        if (cursor.take("|")) choices.push([]);
        else sequence.push(...this.#parseAtoms());
      } else if (repeated) {
        throw new PatternSyntaxError("repeats a repetition");
      } else {
        sequence.push(repeat(sequence.pop(), count));
        repeated = true;
      }
    }
    return { type: "choice", nodes: choices.map((nodes) => ({ type: "sequence", nodes })) };
  }

  #takeCount(): Count | undefined {
    const cursor = this.#cursor;
    const simple = cursor.takeMatch(/([*+?])\??/y)?.[1];
    if (simple !== undefined) {
      return {
        min: simple === "+" ? 1 : 0,
        max: simple === "?" ? 1 : Number.POSITIVE_INFINITY,
        counted: false,
      };
    }
    const found = cursor.takeMatch(/\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}\??/y);
    if (found === undefined) return undefined;
    const [, low, comma, high] = found;
    const min = Number(low);
    const max = comma === undefined ? min : high === undefined ? Number.POSITIVE_INFINITY : Number(high);
    return { min, max, counted: true };
  }

  /** Reads what stands for a character, an assertion or a group; several where a quotation stands for several. */
  #parseAtoms(): readonly Node[] {
    const cursor = this.#cursor;
    const { fold, multiLine, dotAll } = this.#flags;
    if (cursor.take("(")) return this.#parseGroup();
    if (cursor.sees("[")) return [{ type: "char", set: this.#parseBrackets() }];
    if (cursor.take("^")) return [{ type: "assertion", assertion: multiLine ? "beginLine" : "beginText" }];
    if (cursor.take("$")) return [{ type: "assertion", assertion: multiLine ? "endLine" : "endText" }];
    if (cursor.take(".")) return [{ type: "char", set: anyCharacter(dotAll) }];
    for (const [text, assertion] of assertionEscapes) {
      if (cursor.take(text)) return [{ type: "assertion", assertion }];
    }
    const quoted = cursor.takeMatch(/\\Q(.*?)(?:\\E|$)/sy)?.[1];
    if (quoted !== undefined) return Array.from(quoted, (char) => this.#literal(char.codePointAt(0) ?? 0));
    const set = new CharSet(fold);
    if (parseNamedSet(cursor, set)) return [{ type: "char", set }];
    return [this.#literal(this.#parseCharacter())];
  }

  #parseCharacter(): number {
    return this.#cursor.sees("\\") ? parseEscape(this.#cursor) : this.#cursor.next();
  }

  #literal(code: number): Node {
    const { fold } = this.#flags;
    const set = new CharSet(fold);
    set.addRanges([[code, code]]);
    return { type: "char", set, ...(fold || code >= ASCII ? {} : { code }) };
  }

  /** Reads a group, or flags for the rest of the group around. The cursor stands behind the parenthesis. */
  #parseGroup(): readonly Node[] {
    const cursor = this.#cursor;
    const outer = this.#flags;
    const name = cursor.takeMatch(/\?P?<([0-9A-Za-z_]+)>/y)?.[1];
    const change = name === undefined ? cursor.takeMatch(/\?([imsU]*)(?:-([imsU]+))?([:)])/y) : undefined;
    if (change !== undefined) this.#flags = changed(outer, change[1] ?? "", change[2] ?? "");
    if (change?.[3] === ")") return [];
    if (name === undefined && change === undefined && cursor.sees("?")) {
      throw new PatternSyntaxError("has a group of an unknown kind");
    }
    if (name !== undefined) this.#takeName(name);
    if (++this.#depth > MAX_DEPTH) throw new PatternSyntaxError("is nested too deeply");
    const node = this.#parseChoice();
    if (!cursor.take(")")) throw new PatternSyntaxError("leaves a group open");
    this.#depth--;
    this.#flags = outer;
    return [node];
  }

  #takeName(name: string): void {
    if (this.#names.has(name)) throw new PatternSyntaxError(`has two groups named ${name}`);
    this.#names.add(name);
  }

  /** Reads a set in brackets. A closing bracket that comes first is an ordinary character. */
  #parseBrackets(): CharSet {
    const cursor = this.#cursor;
    const set = new CharSet(this.#flags.fold);
    cursor.take("[");
    const negate = cursor.take("^");
    for (let first = true; first || !cursor.take("]"); first = false) {
      if (parsePosixSet(cursor, set) || parseNamedSet(cursor, set)) continue;
      const low = this.#parseCharacter();
      const high = cursor.takeMatch(/-(?!\]|$)/y) === undefined ? low : this.#parseCharacter();
      if (high < low) throw new PatternSyntaxError("has a range that runs backwards");
      set.addRanges([[low, high]]);
    }
    if (negate) set.negate();
    return set;
  }
}

function anyCharacter(dotAll: boolean): CharSet {
  const set = new CharSet();
  if (!dotAll) set.addRanges([[10, 10]]);
  set.negate();
  return set;
}

function changed(flags: Flags, on: string, off: string): Flags {
  const flag = (letter: string, value: boolean): boolean =>
    (value || on.includes(letter)) && !off.includes(letter);
  return {
    fold: flag("i", flags.fold),
    multiLine: flag("m", flags.multiLine),
    dotAll: flag("s", flags.dotAll),
  };
}

function repeat(node: Node | undefined, { min, max, counted }: Count): Repeat {
  if (node === undefined) throw new PatternSyntaxError("repeats nothing");
  const repeated: Repeat = { type: "repeat", node, min, max, counted };
  const tooMany = min > max || min > MAX_COUNT || (Number.isFinite(max) && max > MAX_COUNT);
  if (counted && (tooMany || !withinCount(repeated, MAX_COUNT)))
    throw new PatternSyntaxError("repeats too often");
  return repeated;
}

/** Whether counted repetitions within each other stay below the limit together. */
function withinCount(node: Node, limit: number): boolean {
  switch (node.type) {
    case "sequence":
    case "choice":
      return node.nodes.every((inner) => withinCount(inner, limit));
    case "repeat": {
      const times = node.counted ? (Number.isFinite(node.max) ? node.max : node.min) : 1;
      if (node.counted && node.max === 0) return true;
      return times <= limit && withinCount(node.node, Math.floor(limit / Math.max(times, 1)));
    }
    default:
      return true;
  }
}
