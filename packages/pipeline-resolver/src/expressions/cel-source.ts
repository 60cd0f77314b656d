import { type ASTNode, ParseError } from "@marcbachmann/cel-js";
import { childrenOf } from "./cel-node.js";

// The engine cannot read numbers that begin with a point, nor raw bytes; it ends raw texts behind `\'`, and takes a character of
// bytes for one byte; it knows no names in backticks. So it is given a text of the same length in the place of each, and its node
// the value afterwards. Its `has` is not that of the back end, and gets the name of ours.

/** As long as `has`, so that one in the place of the other moves nothing in the text. */
export const ownHas = "hAs";

/** An expression as the engine can read it. */
export interface ReadableSource {
  readonly text: string;
  /** The literals that it would read wrongly, by where they begin. */
  readonly literals: ReadonlyMap<number, Literal>;
  /** The names of fields in backticks, in the same way. */
  readonly fields: ReadonlyMap<number, string>;
  /** Where calls of `has` begin. */
  readonly has: ReadonlySet<number>;
}

interface Literal {
  readonly end: number;
  readonly value: number | string | Uint8Array;
}

const rawText = String.raw`'''[^]*?'''|"""[^]*?"""|'[^'\n\r]*'|"[^"\n\r]*"`;
const text = String.raw`'''(?:\\[^]|[^\\])*?'''|"""(?:\\[^]|[^\\])*?"""|'(?:\\[^\n\r]|[^'\\\n\r])*'|"(?:\\[^\n\r]|[^"\\\n\r])*"`;
/** Comments, texts, names and numbers: what stands inside of them begins no literal. */
const token = new RegExp(
  String.raw`//[^\n]*|(?<bytes>[bB])?(?:[rR](?<raw>${rawText})|(?<text>${text}))|(?<=\.\s{0,100})\x60(?<field>[-\w./ ]+)\x60|(?<has>(?<!\.\s{0,100})has(?=\s*\())|\w+(?:\.\d\w*)?|(?<fraction>\.\d+(?:[eE][+-]?\d+)?)`,
  "g",
);
/** Anything that could be one of these; nearly all expressions have none. */
const suspicious = /(?:^|[^\w)\]}])\.\d|[bBrR]['"]|has\s*\(|`/;
const nothing: Omit<ReadableSource, "text"> = { literals: new Map(), fields: new Map(), has: new Set() };

/** Puts stand-ins into the places of what the engine would read otherwise than the back end. */
export function readableSource(source: string): ReadableSource {
  if (!suspicious.test(source)) return { text: source, ...nothing };
  const literals = new Map<number, Literal>();
  const fields = new Map<number, string>();
  const has = new Set<number>();
  const readable = source.replace(token, (whole: string, ...rest: readonly unknown[]): string => {
    // The groups come last, behind the place and the source.
    const [start, , groups] = rest.slice(-3) as [
      number,
      string,
      Readonly<Record<string, string | undefined>>,
    ];
    if (groups.has !== undefined) {
      has.add(start);
      return ownHas;
    }
    if (groups.field !== undefined) {
      fields.set(start, groups.field);
      return "_".repeat(whole.length);
    }
    const value = standsFor(groups);
    if (value === undefined) return whole;
    literals.set(start, { end: start + whole.length, value });
    return `'${"x".repeat(whole.length - 2)}'`;
  });
  return { text: readable, literals, fields, has };
}

/** What a token stands for, if the engine must not read it. */
function standsFor({
  bytes,
  raw,
  text,
  fraction,
}: Readonly<Record<string, string | undefined>>): Literal["value"] | undefined {
  if (fraction !== undefined) {
    const value = Number(fraction);
    return Number.isFinite(value) ? value : undefined;
  }
  if (raw !== undefined) return bytes === undefined ? unquoted(raw) : new TextEncoder().encode(unquoted(raw));
  return bytes === undefined || text === undefined ? undefined : bytesOf(unquoted(text));
}

function unquoted(quoted: string): string {
  const quotes = quoted.length >= 6 && /^(?:'''|""")/.test(quoted) ? 3 : 1;
  return quoted.slice(quotes, -quotes);
}

const named: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
const parts = /\\(?:[xX]([\da-fA-F]{2})|([0-3][0-7]{2})|([abfnrtv])|([\\?"'`]))|([^\\]+)|\\/gu;

/** The bytes of a literal: escapes are bytes, everything else is UTF-8. Undefined for escapes that there are not. */
function bytesOf(body: string): Uint8Array | undefined {
  const bytes: number[] = [];
  for (const [, hexadecimal, octal, name, sign, plain] of body.matchAll(parts)) {
    if (hexadecimal !== undefined) bytes.push(Number.parseInt(hexadecimal, 16));
    else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (name !== undefined) bytes.push(named[name] ?? 0);
    else if (sign !== undefined) bytes.push(sign.charCodeAt(0));
    else if (plain !== undefined) for (const byte of new TextEncoder().encode(plain)) bytes.push(byte);
    else return undefined;
  }
  return Uint8Array.from(bytes);
}

/** Gives the nodes of stand-ins their values. A stand-in that was read together with its neighbours stood where none may stand. */
export function fillStandIns(root: ASTNode, { literals, fields }: ReadableSource): void {
  if (literals.size + fields.size === 0) return;
  const [values, names] = [new Map(literals), new Map(fields)];
  const fill = (node: ASTNode): void => {
    const literal = node.op === "value" ? values.get(node.start) : undefined;
    if (literal?.end === node.end) {
      Reflect.set(node, "args", literal.value);
      values.delete(node.start);
    }
    // The place of a field is that of its name.
    const name = node.op === "." ? names.get(node.pos) : undefined;
    if (name !== undefined) {
      Reflect.set(node, "args", [childrenOf(node)[0], name]);
      names.delete(node.pos);
    }
    for (const child of childrenOf(node)) fill(child);
  };
  fill(root);
  for (const [start, { end }] of values) {
    throw new ParseError({ message: "a literal cannot stand here", node: root, range: { start, end } });
  }
  for (const [start, name] of names) {
    const range = { start, end: start + name.length + 2 };
    throw new ParseError({ message: "a name in backticks is that of a field", node: root, range });
  }
}
