import { checkArguments } from "./check-arguments.js";

/** Whoever has more of them has met the first. */
const most = 10_000;

/**
 * The integers in a JSON text, outside of its strings, that would be written with other digits once they have been doubles: how they are
 * written, by the number that they would become. These are 2^53 + 1, which is no double, and 2^60, which is one, and is written as
 * 1152921504606847000: another number for whoever has integers.
 */
export function inexactIntegers(text: string): ReadonlyMap<number, string> {
  checkArguments("inexactIntegers", "text", { text });
  const found = new Map<number, string>();
  if (!/\d{16}/.test(text)) return found;
  const number = /\d+(?:[.eE][\d.eE+-]*)?/y;
  let quoted = false;
  for (let i = 0; i < text.length && found.size < most; i++) {
    const char = text[i] ?? "";
    if (char === '"') quoted = !quoted;
    else if (quoted) i += char === "\\" ? 1 : 0;
    else if (char >= "0" && char <= "9") {
      number.lastIndex = i;
      const [written = char] = number.exec(text) ?? [];
      i += written.length - 1;
      const sign = text[i - written.length] === "-" ? "-" : "";
      const digits = plainInteger.exec(written)?.[1] ?? "";
      if (isInexact(digits)) found.set(Number(sign + digits), sign + digits);
    }
  }
  return found;
}

/** An integer with all its digits, also one with a fraction or an exponent of zero behind it. */
const plainInteger = /^(\d+)(?:\.0+)?(?:[eE][-+]?0+)?$/;

function isInexact(digits: string): boolean {
  if (digits.length < 16) return false;
  return String(Number(digits)) !== digits.replace(/^0+(?=\d)/, "");
}
