import type { DocumentProblems } from "./document-problems.js";
import type { Span } from "./line-table.js";
import { otherReading, type PlainValue, readPlain } from "./plain-scalar.js";

/** The value of a scalar without quotes, with a warning where other readers take it for another. */
export function plainValue(
  text: string,
  span: Span,
  path: readonly (string | number)[],
  problems: DocumentProblems,
): PlainValue {
  const value = readPlain(text);
  const other = otherReading(text, value);
  if (other === undefined) return value;
  const here = typeof value === "string" ? "text" : "a number";
  const message =
    other === "a time"
      ? `${text} without quotes is a time to the API server or the Python SDK`
      : `${text} without quotes is ${here} to the API server and ${other} to the Python SDK`;
  const meant = other === "a boolean" ? `, or write ${/^(?:y|on)/i.test(text)}` : "";
  problems.warning("ambiguous-scalar", path, message, span, `put it in quotes${meant}`);
  return value;
}
