import { oneLine } from "../logger.js";
import { messageOf } from "../message-of.js";
import { inTurns } from "../steps.js";
import { readJson } from "./located-json.js";
import type { LocatedText } from "./located-text.js";
import { readYaml } from "./located-yaml.js";

/** A third of what it takes to read YAML happens in one turn: about half a second for so much. */
const mostYaml = 2 * 1024 * 1024;

/** Reads JSON, or else YAML, whose reader is loaded when it is needed. */
export async function readLocatedText(text: string): Promise<LocatedText> {
  const json = parsedJson(text);
  if ("value" in json) return inTurns(readJson(text, json.value));
  if (text.length > mostYaml) {
    const most = `${mostYaml / 1024 / 1024} MiB`;
    return unreadable(
      `it is no JSON (${json.fault}), and longer than YAML may be, which is read slowly: write more than ${most} in JSON`,
    );
  }
  try {
    return await readYaml(text);
  } catch (error) {
    return unreadable(error instanceof RangeError ? "it is nested too deep" : messageOf(error));
  }
}

function parsedJson(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: oneLine(messageOf(error)) };
  }
}

function unreadable(message: string): LocatedText {
  return { value: undefined, lineOf: () => 1, problems: [{ line: 1, message }] };
}
