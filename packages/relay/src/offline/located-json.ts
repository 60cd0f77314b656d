import type { Steps } from "@wye/flag-evaluator";
import { isFields } from "../fields.js";
import { type JsonSpan, jsonElements, jsonMembers, jsonTokens } from "../sources/json-members.js";
import type { LocatedProblem, LocatedText } from "./located-text.js";
import { numberFault } from "./number-fault.js";
import { linesOf } from "./text-lines.js";

/** Finds the places of a text in JSON, whose value is known. */
export function* readJson(text: string, value: unknown): Steps<LocatedText> {
  const lines = linesOf(text);
  const problems: LocatedProblem[] = [];
  yield* findRepeated(text, { start: 0, end: text.length }, value, deepestNames, (name, at) =>
    problems.push({ line: lines.at(at), message: `${JSON.stringify(name)} is there twice` }),
  );
  yield* findUnheld(text, (message, at) => problems.push({ line: lines.at(at), message }));
  const offsetOf = placesIn(text, value);
  return { value, lineOf: (path) => lines.at(offsetOf(path)), problems };
}

/** Environments, their flags, and the members of each: no deeper, for a flag may be large. */
const deepestNames = 5;

function* findRepeated(
  text: string,
  span: JsonSpan,
  value: unknown,
  depth: number,
  repeated: (name: string, at: number) => void,
): Steps<void> {
  if (!isFields(value) || depth === 0) return;
  yield span.end - span.start;
  for (const [name, inside] of jsonMembers(text, span.start, repeated))
    yield* findRepeated(text, inside, memberOf(value, name), depth - 1, repeated);
}

/** A number that cannot be held is as long as this, or as great. */
const suspicious = /\d{16}|[eE]\+?\d{3}/;
/** A text is looked through for one piece by piece; none of them is cut in two. */
const pieceLength = 1024 * 1024;
const overlap = 32;
/** About what it takes to look at a piece, and at a number or a string, in characters of flag data. */
const perPiece = 64 * 1024;
const perToken = 32;

/** Finds the numbers that cannot be held as they stand there. */
function* findUnheld(text: string, found: (fault: string, at: number) => void): Steps<void> {
  if (!(yield* isSuspicious(text))) return;
  for (const [written, at] of jsonTokens(text)) {
    yield perToken;
    const fault = written === '"' ? undefined : numberFault(written, Number(written));
    if (fault !== undefined) found(fault, at);
  }
}

function* isSuspicious(text: string): Steps<boolean> {
  for (let at = 0; at < text.length; at += pieceLength) {
    yield perPiece;
    if (suspicious.test(text.slice(at, at + pieceLength + overlap))) return true;
  }
  return false;
}

/** Finds where the innermost known place of a path begins. What stands in an object or a list is looked at once. */
function placesIn(text: string, root: unknown): (path: readonly string[]) => number {
  const known = new Map<number, ReadonlyMap<string, JsonSpan>>();
  const inside = (value: unknown, offset: number) => {
    const spans =
      known.get(offset) ?? (Array.isArray(value) ? elementsAt(text, offset) : jsonMembers(text, offset));
    known.set(offset, spans);
    return spans;
  };
  return (path) => {
    let offset = 0;
    let value = root;
    for (const name of path) {
      const span = typeof value === "object" && value !== null ? inside(value, offset).get(name) : undefined;
      if (span === undefined) break;
      offset = span.start;
      value = memberOf(value, name);
    }
    return offset;
  };
}

function elementsAt(text: string, offset: number): ReadonlyMap<string, JsonSpan> {
  return new Map(jsonElements(text, offset).map((span, at) => [`${at}`, span]));
}

/** What an object has of its own under a name, whatever the name. */
function memberOf(value: unknown, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
