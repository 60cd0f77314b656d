import { describeType, type Fields, isFields } from "../json.js";
import { ItemReader } from "./item-reader.js";
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

/** Stands for what is no object: the text of an item is put between others, and must not break them. */
export const unreadable = "null";

/** Takes an item in. One that is no JSON object has no members, and a problem instead; so has one that is not usable. */
export function readItem(input: ItemInput): { readonly parsed: ReadableItem; readonly members: Fields } {
  const reader = new ItemReader();
  const value = typeof input === "string" ? parsedJson(reader, input) : input;
  if (!isFields(value)) {
    if (value !== undefined || typeof input !== "string")
      reader.note(`expected an object, got ${describeType(value)}`);
    return { parsed: { json: unreadable, fields: {}, reader }, members: {} };
  }
  const fault = jsonFault(value);
  if (fault !== undefined) reader.note(fault);
  const json = typeof input === "string" ? input : fault === undefined ? jsonOf(reader, input) : unreadable;
  const fields = fault === undefined && json !== unreadable ? value : {};
  return { parsed: { json, fields, reader }, members: value };
}

/** The text of an object. Programs without types may give one that has none. */
function jsonOf(reader: ItemReader, value: Fields): string {
  try {
    const json: string | undefined = JSON.stringify(value);
    if (json?.startsWith("{")) return json;
    reader.note("written as JSON it is no object");
  } catch (error) {
    reader.note(`it cannot be written as JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return unreadable;
}

function parsedJson(reader: ItemReader, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    reader.note(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
