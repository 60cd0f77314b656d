import { checkArguments } from "@wye/pipeline-spec";
import type { ValidationProblem } from "./validation-report.js";

/** What an editor can put in place of a misspelt name. Offsets count UTF-16 units. */
export interface SuggestedFix {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Such names mean the same with and without quotes, in YAML, JSON and CEL. */
const plainName = /^(?!(?:true|false|null|yes|no|on|off)$)[a-z_](?:[\w.-]*\w)?$/i;

/**
 * The edit that a "did you mean …?" stands for; undefined where a hint is advice rather than a name, or where it cannot be told
 * what exactly to replace. `source` is the text that was validated.
 */
export function suggestFix(source: string, problem: ValidationProblem): SuggestedFix | undefined {
  checkArguments("suggestFix", "text", { source });
  checkArguments("suggestFix", "object", { problem });
  const { range, message, hint } = problem;
  const meant = /^did you mean "?([^"]+?)"?\?/.exec(hint ?? "")?.[1];
  if (meant === undefined || range === undefined || !plainName.test(meant)) return undefined;
  const { offset } = range.start;
  const there = source.slice(offset, range.end.offset);
  for (const name of namesIn(message)) {
    const at = soleWord(there, name);
    if (at !== undefined) return { from: offset + at, to: offset + at + name.length, text: meant };
  }
  return undefined;
}

/** What a message may call misspelt: what stands in quotes, the last one first, or a word before a colon or the end. */
function namesIn(message: string): readonly string[] {
  const quoted = [...message.matchAll(/"([^"\\]+)"/g)].map(([, name = ""]) => name);
  const bare = [...message.matchAll(/[\w.-]+(?=:|$)/g)].map(([word]) => word);
  return [...quoted.reverse(), ...bare];
}

/** Where a word stands, unless it stands at several places. */
function soleWord(text: string, word: string): number | undefined {
  let sole: number | undefined;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isInWord(text[at - 1]) || isInWord(text[at + word.length])) continue;
    if (sole !== undefined) return undefined;
    sole = at;
  }
  return sole;
}

function isInWord(character: string | undefined): boolean {
  return character !== undefined && /[\w-]/.test(character);
}
