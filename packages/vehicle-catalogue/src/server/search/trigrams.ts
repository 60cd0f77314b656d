/**
 * Calls back for every piece of three characters of a word, padded with two blanks in front and one behind, so that the
 * start of a word weighs more than its end and even a single letter has pieces of its own.
 */
export function eachTrigram(word: string, visit: (piece: string) => void): void {
  const padded = `  ${word} `;
  for (let at = 0; at + 3 <= padded.length; at++) visit(padded.slice(at, at + 3));
}
