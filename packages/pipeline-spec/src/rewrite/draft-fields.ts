import { didYouMean } from "../did-you-mean.js";
import { PipelineSpecError } from "../error.js";
import { pointer } from "../json-pointer.js";
import type { FieldShape } from "../message-table.js";
import type { Pipeline } from "../pipeline.js";
import { messageShape } from "../pipeline-shapes.js";
import { type MessagePlace, walkMessages } from "../walk-messages.js";

/** Refuses what the messages of a draft do not have, which would be lost without a word. */
export function checkDraftFields({
  spec,
  deployment,
  platform,
}: Pick<Pipeline, "spec" | "deployment" | "platform">): void {
  for (const place of walkMessages("PipelineSpec", spec)) checkFields(place);
  for (const place of walkMessages("PipelineDeploymentConfig", deployment, "/deploymentSpec"))
    checkFields(place);
  if (platform === undefined) return;
  for (const place of walkMessages("PlatformSpec", platform)) checkFields(place);
}

function checkFields({ name, message, path }: MessagePlace): void {
  const { fields } = messageShape(name);
  for (const [key, value] of Object.entries(message)) {
    if (value === undefined) continue;
    const field = fields.find(({ local, oneof }) => (oneof ?? local) === key);
    if (field === undefined) {
      refuse(pointer(path, key), `${name} has no field ${JSON.stringify(key)}${hintFor(fields, key)}`);
    }
    if (field.oneof !== undefined) checkChoice(field.oneof, value, path);
  }
}

/** What stands beside the value of a oneof would be lost as well. */
function checkChoice(oneof: string, choice: unknown, path: string): void {
  if (typeof choice !== "object" || choice === null || !("$case" in choice)) return;
  const other = Object.keys(choice).find((key) => key !== "$case" && key !== "value");
  if (other !== undefined) {
    refuse(path, `${oneof} has no field ${JSON.stringify(other)}: it is { $case, value }`);
  }
}

function refuse(path: string, message: string): never {
  throw new PipelineSpecError("unwritable", path, message);
}

function hintFor(fields: readonly FieldShape[], key: string): string {
  const names = fields.flatMap(({ local, oneof }) => (oneof === undefined ? [local] : [local, oneof]));
  const meant = didYouMean(key, names);
  if (meant === undefined) return "";
  const oneof = fields.find(({ local }) => local === meant)?.oneof;
  return oneof === undefined
    ? `: did you mean "${meant}"?`
    : `: write ${oneof} = { $case: "${meant}", value: … }`;
}
