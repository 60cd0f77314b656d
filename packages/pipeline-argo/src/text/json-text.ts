import { isObject, PipelineSpecError } from "@wye/pipeline-spec";
import { compareBytes, sortedEntries } from "./byte-order.js";

/** More than any file that can be read has, and little enough for the stack. */
const maxDepth = 1200;

const special = /[<>&\u2028\u2029]/;
const specials = /[<>&\u2028\u2029]/g;

// Names that JavaScript puts first or sorts in another way, and zeros, which may be negative.
const written = /"\d+":|[\ud800-\udfff]|[:,[]0[,}\]]|^0$/;

// Either of them: most texts have neither, and are looked at once.
const remarkable = new RegExp(`${special.source}|${written.source}`);

/**
 * The text of a JSON value as the back end writes it: names sorted by bytes, no blanks, characters that mean something to HTML
 * or JavaScript by their numbers, and negative zero kept.
 */
export function jsonText(value: unknown): string {
  return escaped(textOf(value, 0));
}

/** The same of what `writeJson` gives, whose names are in order already, but for those that are seldom met. */
export function messageText(json: unknown): string {
  const text = JSON.stringify(json);
  if (!remarkable.test(text)) return text;
  return written.test(text) ? jsonText(json) : escaped(text);
}

/** The text of an object whose members are texts of JSON already. */
export function objectText(members: readonly (readonly [name: string, text: string])[]): string {
  const sorted = [...members].sort(([a], [b]) => compareBytes(a, b));
  return `{${sorted.map(([name, text]) => `${escaped(JSON.stringify(name))}:${text}`).join(",")}}`;
}

function escaped(json: string): string {
  if (!special.test(json)) return json;
  return json.replace(specials, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function textOf(value: unknown, depth: number): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (depth > maxDepth) {
    throw new PipelineSpecError("unwritable", "", `nested deeper than ${maxDepth} levels`);
  }
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item, depth + 1)).join(",")}]`;
  if (isObject(value)) {
    const members: string[] = [];
    for (const [name, member] of sortedEntries(value)) {
      if (member !== undefined) members.push(`${JSON.stringify(name)}:${textOf(member, depth + 1)}`);
    }
    return `{${members.join(",")}}`;
  }
  return Object.is(value, -0) ? "-0" : String(value);
}
