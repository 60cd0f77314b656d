/**
 * What remains of a text when everything that two people may write differently is gone: case, accents, width (`ＩＤ`),
 * and the decimal comma.
 */
export function foldText(text: string): string {
  const folded = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return folded.replace(/(?<=\d),(?=\d)/g, ".");
}

/**
 * The words of a text, folded. A full stop inside a word stays (`id.3`, `7.2`), and so does a plus at its end (`sr+`);
 * all other punctuation separates.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of foldText(text).matchAll(wordPattern)) words.push(word);
  return words;
}

const wordPattern = /[\p{L}\p{N}]+(?:\.[\p{L}\p{N}]+)*(?:\+(?![\p{L}\p{N}]))?/gu;

/** A text without blanks and punctuation: what `ID.3`, `id 3` and `id3` have in common. A plus stays where words keep it. */
export function blankFree(text: string): string {
  return foldText(text).replace(/[^\p{L}\p{N}+]+|(?<![\p{L}\p{N}])\+|\+(?=[\p{L}\p{N}])/gu, "");
}
