// Control characters would change the terminal, directions and what has no width the order and the names, and tabs the columns.
const unprintable = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A text from a file, or the name of one, in one line and with nothing in it that would do something to a terminal. */
export function cleanText(text: string): string {
  return text.replace(unprintable, (char) => (char === "\t" ? " " : "\u00b7"));
}
