import type { MessageTypes } from "./gen/message-types.js";
import { JsonWriters, JsonWriting } from "./json-writer.js";
import { messageShape } from "./pipeline-shapes.js";

let writers: JsonWriters | undefined;

/**
 * The JSON form of a message by the rules of ProtoJSON, ready for `JSON.stringify`: camelCase names, defaults left out,
 * keys in alphabetical order.
 *
 * @throws PipelineSpecError with code `unwritable` when the message holds something that JSON has no form for
 */
export function writeJson<N extends keyof MessageTypes>(
  name: N,
  message: MessageTypes[N],
): { [key: string]: unknown } {
  writers ??= new JsonWriters();
  // Every message of this package is an object in JSON.
  return writers.message(messageShape(name, "writeJson"))(message, new JsonWriting()) as {
    [key: string]: unknown;
  };
}
