import type { ProblemBook } from "../problems/problem-book.js";

/** Linux hands no longer argument to a program, and each text is one argument of a driver, importer or launcher. */
const mostBytes = 131_071;

/** Tells when what stands at a place of the pipeline makes a text that no driver can be started with. */
export function warnOfLongText(text: string, path: string, problems: ProblemBook): void {
  // No character takes more than three bytes for each of its units.
  if (text.length * 3 <= mostBytes) return;
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= mostBytes) return;
  const message = `the text of this takes ${bytes} bytes as an argument of a driver, and Linux takes ${mostBytes}`;
  problems.add({ code: "long-argument", path, part: "key", message });
}
