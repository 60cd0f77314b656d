import { show } from "../../records/check-value.js";

/**
 * What remains of a text when everything that two people may write differently is gone: case, accents, width (`ＩＤ`),
 * and the decimal comma.
 */
export function foldText(text: string): string {
  if (ascii.test(text)) return pointed(text.toLowerCase());
  const folded = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return pointed(folded);
}

/** Most texts are ASCII, and there is nothing to fold in them but case. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII as well
const ascii = /^[\u0000-\u007f]*$/;

function pointed(text: string): string {
  return text.includes(",") ? text.replace(/(?<=\d),(?=\d)/g, ".") : text;
}

/**
 * The words of a text, folded. A full stop inside a word stays (`id.3`, `7.2`), and so does a plus at its end (`sr+`);
 * all other punctuation separates.
 */
export function wordsOf(text: string): readonly string[] {
  if (typeof text !== "string") throw new TypeError(`wordsOf needs a text; got ${show(text)}.`);
  const folded = foldText(text);
  return folded.match(ascii.test(folded) ? asciiWords : words) ?? [];
}

const words = /[\p{L}\p{N}]+(?:\.[\p{L}\p{N}]+)*(?:\+(?![\p{L}\p{N}]))?/gu;
/** The same for ASCII, several times quicker. */
const asciiWords = /[a-z0-9]+(?:\.[a-z0-9]+)*(?:\+(?![a-z0-9]))?/g;

/** A text without blanks and punctuation: what `ID.3`, `id 3` and `id3` have in common. A plus stays where words keep it. */
export function blankFree(text: string): string {
  return joinedWords(wordsOf(text));
}

/** The same of a text that was taken apart. */
export function joinedWords(words: readonly string[]): string {
  const joined = words.length === 1 ? (words[0] ?? "") : words.join("");
  return joined.includes(".") ? joined.replaceAll(".", "") : joined;
}
