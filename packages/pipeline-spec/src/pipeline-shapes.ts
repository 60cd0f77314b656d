import type { MessageTypes } from "./gen/message-types.js";
import { table } from "./gen/table.js";
import { type EnumShape, type MessageShape, parseTable } from "./message-table.js";

let shapes: ReadonlyMap<string, MessageShape | EnumShape> | undefined;

/** The shape of a message of this package; the table is read when the first is asked for. */
export function messageShape(name: keyof MessageTypes, caller = ""): MessageShape {
  shapes ??= parseTable(table);
  const shape = shapes.get(name);
  if (shape?.kind !== "message")
    throw new TypeError(`${caller} knows no message called ${JSON.stringify(name)}`);
  return shape;
}
