import { isObject, PipelineSpecError } from "@wye/pipeline-spec";
import { sortedEntries } from "./byte-order.js";

const special = /[<>&\u2028\u2029]/;
const specials = /[<>&\u2028\u2029]/g;

/** More than any file that can be read has. */
const maxDepth = 2000;

/**
 * The text of a JSON value as the back end writes it: names sorted by bytes, no blanks, characters that mean something to HTML
 * or JavaScript by their numbers, and negative zero kept.
 */
export function jsonText(value: unknown): string {
  return textOf(value, 0);
}

function textOf(value: unknown, depth: number): string {
  if (typeof value === "string") return quoted(value);
  if (depth > maxDepth)
    throw new PipelineSpecError("unwritable", "", `nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, depth + 1)).join(",")}]`;
  if (isObject(value)) {
    const members: string[] = [];
    for (const [name, member] of sortedEntries(value)) {
      if (member !== undefined) members.push(`${quoted(name)}:${textOf(member, depth + 1)}`);
    }
    return `{${members.join(",")}}`;
  }
  return Object.is(value, -0) ? "-0" : String(value);
}

function quoted(text: string): string {
  const json = JSON.stringify(text);
  if (!special.test(json)) return json;
  return json.replace(specials, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
