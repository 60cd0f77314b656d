import { checkBinary } from "./binary-check.js";
import { checkOptions } from "./check-options.js";
import { codecs } from "./gen/codecs.js";
import type { MessageTypes } from "./gen/message-types.js";
import { describeValue } from "./json-value.js";
import { messageShape } from "./pipeline-shapes.js";
import type { MessageName, ReadResult } from "./read-json.js";
import { Reading, type ReadOptions, readOptions } from "./reading.js";

/**
 * Reads a message from its binary form. In contrast to `decode`, which throws at broken bytes and passes over what it
 * does not know, this tells what is wrong and what is left out: fields that are reserved or not known are warnings.
 */
export function readBinary<N extends MessageName>(
  name: N,
  bytes: Uint8Array,
  options: ReadOptions = {},
): ReadResult<MessageTypes[N]> {
  checkOptions("readBinary", options, readOptions);
  if (!(bytes instanceof Uint8Array)) {
    throw new TypeError(`readBinary takes bytes, not ${describeValue(bytes)}`);
  }
  const reading = new Reading(options);
  checkBinary(messageShape(name, "readBinary"), bytes, reading);
  const found = () => ({ problems: reading.list(), counts: reading.counts });
  if (reading.failed) return { ok: false, ...found() };
  try {
    return { ok: true, value: codecs[name].decode(bytes), ...found() };
  } catch (error) {
    // The decoder has a limit of its own, which only a much larger `maxDepth` lets through.
    reading.error("invalid-binary", error instanceof Error ? error.message : String(error));
    return { ok: false, ...found() };
  }
}
