import { checkOptions } from "./check-options.js";
import type { MessageTypes } from "./gen/message-types.js";
import { JsonReaders } from "./json-reader.js";
import { messageShape } from "./pipeline-shapes.js";
import type { Problem } from "./problem.js";
import type { ProblemCounts } from "./problem-list.js";
import { Reading, type ReadOptions, readOptions } from "./reading.js";

/** Name of a message, as `readJson` and its like take it. */
export type MessageName = keyof MessageTypes;

/** What came of reading a message; a success may still come with warnings and remarks. */
export type ReadResult<T> =
  | {
      readonly ok: true;
      readonly value: T;
      readonly problems: readonly Problem[];
      /** How many problems there are, listed or not. */
      readonly counts: ProblemCounts;
    }
  | { readonly ok: false; readonly problems: readonly Problem[]; readonly counts: ProblemCounts };

let readers: JsonReaders | undefined;

/**
 * Reads a message from its JSON form, as `JSON.parse` gives it, by the rules of ProtoJSON. All problems are found at
 * once. The result shares nothing with `json`.
 */
export function readJson<N extends MessageName>(
  name: N,
  json: unknown,
  options: ReadOptions = {},
): ReadResult<MessageTypes[N]> {
  checkOptions("readJson", options, readOptions);
  const reading = new Reading(options);
  const value = readMessage(name, json, reading);
  const found = { problems: reading.list(), counts: reading.counts };
  return reading.failed || value === undefined ? { ok: false, ...found } : { ok: true, value, ...found };
}

/** Reads a message as far as that goes: what is wrong is noted in `reading` and left out. */
export function readMessage<N extends MessageName>(
  name: N,
  json: unknown,
  reading: Reading,
): MessageTypes[N] | undefined {
  readers ??= new JsonReaders();
  const read = readers.message(messageShape(name, "readJson"));
  // The shape of this name was generated from the same definition as the type of this name.
  return read(json, reading) as MessageTypes[N] | undefined;
}
