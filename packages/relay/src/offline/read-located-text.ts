import { messageOf } from "../message-of.js";
import { inTurns } from "../steps.js";
import { jsonFaultAt } from "./json-fault-at.js";
import { readJson } from "./located-json.js";
import type { LocatedText } from "./located-text.js";
import { readYaml } from "./located-yaml.js";
import { linesOf } from "./text-lines.js";

/** A third of what it takes to read YAML happens in one turn: about half a second for so much. */
const mostYaml = 2 * 1024 * 1024;

/**
 * Reads JSON, or else YAML, whose reader is loaded when it is needed. What begins with a brace is JSON: YAML would take it as well, make
 * names of comments and texts of words that are cut off, and find nothing wrong.
 */
export async function readLocatedText(text: string): Promise<LocatedText> {
  const json = parsedJson(text);
  if (json !== undefined) return inTurns(readJson(text, json.value));
  // Two of them are a template.
  if (/^\s*\{(?!\{)/.test(text)) return brokenJson(text);
  if (text.length > mostYaml) {
    const most = `${mostYaml / 1024 / 1024} MiB`;
    return unreadable(
      `it is no JSON, and longer than YAML may be, which is read slowly: write more than ${most} in JSON`,
    );
  }
  try {
    return await readYaml(text);
  } catch (error) {
    return unreadable(error instanceof RangeError ? "it is nested too deep" : messageOf(error));
  }
}

function parsedJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function brokenJson(text: string): LocatedText {
  const { at, message } = jsonFaultAt(text);
  return { value: undefined, lineOf: () => 1, problems: [{ line: linesOf(text).at(at), message }] };
}

function unreadable(message: string): LocatedText {
  return { value: undefined, lineOf: () => 1, problems: [{ line: 1, message }] };
}
