import type { Steps } from "@wye/flag-evaluator";
import { isFields } from "../fields.js";
import { type JsonSpan, jsonMembers } from "../sources/json-members.js";
import type { LocatedProblem, LocatedText } from "./located-text.js";
import { linesOf } from "./text-lines.js";

/** Finds the places of a text in JSON, whose value is known. */
export function* readJson(text: string, value: unknown): Steps<LocatedText> {
  const lines = linesOf(text);
  const problems: LocatedProblem[] = [];
  yield* findRepeated(text, { start: 0, end: text.length }, value, deepestNames, (name, at) =>
    problems.push({ line: lines.at(at), message: `${JSON.stringify(name)} is there twice` }),
  );
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

/** Finds where the innermost known place of a path begins. What stands in an object is looked at once. */
function placesIn(text: string, root: unknown): (path: readonly string[]) => number {
  const known = new Map<number, ReadonlyMap<string, JsonSpan>>();
  const membersAt = (offset: number) => {
    const members = known.get(offset) ?? jsonMembers(text, offset);
    known.set(offset, members);
    return members;
  };
  return (path) => {
    let offset = 0;
    let value = root;
    for (const name of path) {
      const span = isFields(value) ? membersAt(offset).get(name) : undefined;
      if (span === undefined) break;
      offset = span.start;
      value = memberOf(value, name);
    }
    return offset;
  };
}

/** What an object has of its own under a name, whatever the name. */
function memberOf(value: unknown, name: string): unknown {
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
