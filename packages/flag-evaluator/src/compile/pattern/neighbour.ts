import type { Assertion } from "./syntax-tree.js";

/** What assertions know of the character on one side of them. */
export type Neighbour = "none" | "newline" | "word" | "other";

/** What assertions know of a character. */
export function neighbourOf(code: number): Neighbour {
  if (code === 10) return "newline";
  return /\w/.test(String.fromCodePoint(code)) ? "word" : "other";
}

/** Whether an assertion holds between two characters. */
export function holds(assertion: Assertion, before: Neighbour, after: Neighbour): boolean {
  switch (assertion) {
    case "beginText":
      return before === "none";
    case "endText":
      return after === "none";
    case "beginLine":
      return before === "none" || before === "newline";
    case "endLine":
      return after === "none" || after === "newline";
    case "wordBoundary":
      return (before === "word") !== (after === "word");
    case "noWordBoundary":
      return (before === "word") === (after === "word");
  }
}
