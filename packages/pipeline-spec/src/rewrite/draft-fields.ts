import { didYouMean } from "../did-you-mean.js";
import type { JsonWriting } from "../json-writer.js";
import type { MessageShape } from "../message-table.js";

/** Refuses what a message does not have, which would be lost without a word. */
export function checkDraftFields(
  message: object,
  { name, fields }: MessageShape,
  writing: JsonWriting,
): void {
  for (const [key, value] of Object.entries(message)) {
    if (value === undefined) continue;
    const field = fields.find(({ local, oneof }) => (oneof ?? local) === key);
    if (field === undefined) {
      writing.enter(key);
      writing.fail(`${name} has no field ${JSON.stringify(key)}${hintFor(fields, key)}`);
    }
    if (field.oneof !== undefined) checkChoice(field.oneof, value, writing);
  }
}

/** What stands beside the value of a oneof would be lost as well. */
function checkChoice(oneof: string, choice: unknown, writing: JsonWriting): void {
  if (typeof choice !== "object" || choice === null || !("$case" in choice)) return;
  for (const key of Object.keys(choice)) {
    if (key === "$case" || key === "value") continue;
    writing.fail(`${oneof} has no field ${JSON.stringify(key)}: it is { $case, value }`);
  }
}

function hintFor(fields: MessageShape["fields"], key: string): string {
  const names = fields.flatMap(({ local, oneof }) => (oneof === undefined ? [local] : [local, oneof]));
  const meant = didYouMean(key, names);
  if (meant === undefined) return "";
  const oneof = fields.find(({ local }) => local === meant)?.oneof;
  return oneof === undefined
    ? `: did you mean "${meant}"?`
    : `: write ${oneof} = { $case: "${meant}", value: … }`;
}
