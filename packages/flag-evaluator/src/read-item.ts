import { ItemReader } from "./item-reader.js";
import { describeType, type Fields, isFields } from "./json.js";
import { jsonFault } from "./json-fault.js";

/** A flag or segment as it arrives: JSON text, or what was parsed from it. */
export type ItemInput = string | Fields;

/** An item whose members can be read. */
export interface ReadableItem {
  readonly json: string;
  readonly fields: Fields;
  /** Has noted why the item cannot be read, if so. */
  readonly reader: ItemReader;
}

/** Takes an item in. One that is no JSON object has no members, and a problem instead. */
export function readItem(input: ItemInput): ReadableItem {
  const reader = new ItemReader();
  const value = typeof input === "string" ? parsed(reader, input) : input;
  const fault = jsonFault(value);
  if (fault !== undefined) {
    reader.note(fault);
    return { json: typeof input === "string" ? input : "null", fields: {}, reader };
  }
  const json = typeof input === "string" ? input : JSON.stringify(input);
  if (isFields(value)) return { json, fields: value, reader };
  if (value !== undefined) reader.note(`expected an object, got ${describeType(value)}`);
  return { json, fields: {}, reader };
}

function parsed(reader: ItemReader, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    reader.note(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
