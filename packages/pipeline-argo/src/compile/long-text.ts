import type { ProblemBook } from "../problems/problem-book.js";

/** Linux hands no longer argument to a program, and each text is one argument of a driver, importer or launcher. */
const mostBytes = 131_071;

/** What is wrong with a text as an argument, with which no driver can be started; undefined when nothing is. */
export function longText(text: string): string | undefined {
  // No character takes more than three bytes for each of its units.
  if (text.length * 3 <= mostBytes) return undefined;
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= mostBytes) return undefined;
  return `the text of this takes ${bytes} bytes as an argument of a driver, and Linux takes ${mostBytes}`;
}

/** Tells when what stands at a place of the pipeline makes such a text. */
export function warnOfLongText(text: string, path: string, problems: ProblemBook): void {
  const message = longText(text);
  if (message !== undefined) problems.add({ code: "long-argument", path, part: "key", message });
}
