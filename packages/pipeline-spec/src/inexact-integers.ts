import { checkArguments } from "./check-arguments.js";

/** Whoever has more of them has met the first. */
const most = 10_000;

/**
 * The integers in a JSON text, outside of its strings, that would become other numbers as doubles, such as 2^53 + 1: how they are
 * written, by the number that they would become. What a double prints as its digits is that double.
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
      const [digits = char] = number.exec(text) ?? [];
      i += digits.length - 1;
      const sign = text[i - digits.length] === "-" ? "-" : "";
      if (isInexact(digits)) found.set(Number(sign + digits), sign + digits);
    }
  }
  return found;
}

function isInexact(digits: string): boolean {
  if (digits.length < 16 || !/^\d+$/.test(digits)) return false;
  const value = Number(digits);
  return (
    !Number.isFinite(value) ||
    (String(value) !== digits && (digits.length > 400 || BigInt(value) !== BigInt(digits)))
  );
}
