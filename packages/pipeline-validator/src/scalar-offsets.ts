import type { TextSpan } from "@wye/pipeline-resolver";

/** Where the parts of a decoded text stand in the source of its YAML or JSON scalar. */
export class ScalarOffsets {
  private readonly offsets: readonly number[] | undefined;

  constructor(source: string, text: string) {
    this.offsets = scalarOffsets(source, text);
  }

  /** Undefined when the two cannot be brought together, so that the whole scalar has to do. */
  spanOf({ start, end }: TextSpan): TextSpan | undefined {
    const from = this.offsets?.[start];
    const last = this.offsets?.[Math.max(start, end - 1)];
    if (from === undefined || last === undefined) return undefined;
    return { start: from, end: end > start ? last + 1 : from };
  }
}

const escapes: Readonly<Record<string, string>> = {
  ...{ "0": "\0", a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b", " ": " " },
  ...{ '"': '"', "/": "/", "\\": "\\", N: "\u0085", _: "\u00a0", L: "\u2028", P: "\u2029" },
};

/** For each code unit of the text, where it begins in the source; one more for the end. */
function scalarOffsets(source: string, text: string): readonly number[] | undefined {
  const quote = source[0] === '"' || source[0] === "'" ? source[0] : "";
  const isBlock = source[0] === "|" || source[0] === ">";
  const offsets: number[] = [];
  let at = isBlock ? source.indexOf("\n") + 1 : quote.length;
  for (let index = 0; index < text.length; ) {
    const [length, width] = step(source, at, text, index, quote);
    if (length > 0) {
      for (let unit = 0; unit < length; unit++) offsets.push(at);
      index += length;
      at += width;
    } else if (/\s/.test(source[at] ?? "")) {
      // Indentation, and line breaks that are folded away.
      at++;
    } else if (quote === '"' && source[at] === "\\" && /\s/.test(source[at + 1] ?? "")) {
      at += 2;
    } else if (text[index] === "\n" || text[index] === " ") {
      // A break of the text for which the source has used up its own.
      offsets.push(at);
      index++;
    } else {
      return undefined;
    }
  }
  offsets.push(at);
  return offsets;
}

/** How many code units of the text and of the source go together here; 0 of the text when none do. */
function step(
  source: string,
  at: number,
  text: string,
  index: number,
  quote: string,
): readonly [number, number] {
  const char = source[at];
  if (quote === '"' && char === "\\") {
    const coded = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(
      source.slice(at, at + 10),
    );
    const digits = coded?.[1] ?? coded?.[2] ?? coded?.[3];
    const plain = digits === undefined ? escapes[source[at + 1] ?? ""] : codePoint(digits);
    if (plain === undefined || !text.startsWith(plain, index)) return [0, 0];
    return [plain.length, coded?.[0].length ?? 2];
  }
  if (quote === "'" && char === "'" && source[at + 1] === "'" && text[index] === "'") return [1, 2];
  // A folded line break stands for a blank.
  if (char === "\n" && text[index] === " ") return [1, 1];
  return char === text[index] ? [1, 1] : [0, 0];
}

function codePoint(digits: string): string | undefined {
  const code = Number.parseInt(digits, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
