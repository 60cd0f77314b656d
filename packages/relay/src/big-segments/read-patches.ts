import { malformedData, type RelayError } from "../error.js";
import { type Fields, isFields } from "../fields.js";
import type { BigSegmentPatch, MemberChanges } from "./big-segment-store.js";

/** Reads the JSON array of patches that upstream answers and streams. Throws a `RelayError` for anything of another shape. */
export function readPatches(text: string): readonly BigSegmentPatch[] {
  const list = parse(text);
  if (!Array.isArray(list)) throw malformed("they are not a list");
  return list.map(readPatch);
}

function readPatch(value: unknown): BigSegmentPatch {
  const { segmentId, version, previousVersion, changes } = fieldsOf(value, "a patch");
  const { included, excluded } = fieldsOf(changes ?? {}, "changes");
  if (version === "") throw malformed("a patch leads to a version without a name");
  return {
    segmentId: textOf(segmentId, "segmentId"),
    version: textOf(version, "version"),
    previousVersion: textOf(previousVersion ?? "", "previousVersion"),
    included: readChanges(included),
    excluded: readChanges(excluded),
  };
}

function readChanges(value: unknown): MemberChanges {
  const { add, remove } = fieldsOf(value ?? {}, "changes");
  return { add: textsOf(add, "add"), remove: textsOf(remove, "remove") };
}

function textsOf(value: unknown, name: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw malformed(`"${name}" is not a list`);
  return value.map((one) => textOf(one, name));
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== "string") throw malformed(`"${name}" is not a text`);
  return value;
}

function fieldsOf(value: unknown, what: string): Fields {
  if (isFields(value)) return value;
  throw malformed(`${what} is not an object`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed("they are not JSON", cause);
  }
}

function malformed(message: string, cause?: unknown): RelayError {
  return malformedData(`patches of upstream: ${message}`, cause);
}
