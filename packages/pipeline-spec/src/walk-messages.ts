import type { MessageTypes } from "./gen/message-types.js";
import { pointer } from "./json-pointer.js";
import type { FieldShape, MessageShape } from "./message-table.js";
import { messageShape } from "./pipeline-shapes.js";
import type { MessageName } from "./read-json.js";

/** A message, what it is called, and where it stands: `name` tells the type of `message`. */
export type MessagePlace = {
  [N in MessageName]: {
    readonly name: N;
    readonly message: MessageTypes[N];
    /** JSON pointer, with names as JSON has them. */
    readonly path: string;
  };
}[MessageName];

/**
 * A message and all messages inside of it, outer ones first: to look for something, or to change something everywhere. What
 * a plain object holds (`Struct` and `Value`) is not looked into.
 *
 * @param path  JSON pointer of the outermost message
 */
export function* walkMessages<N extends MessageName>(
  name: N,
  message: MessageTypes[N],
  path = "",
): Generator<MessagePlace> {
  yield* walk(messageShape(name, "walkMessages"), message, path);
}

function* walk(shape: MessageShape, message: unknown, path: string): Generator<MessagePlace> {
  if (typeof message !== "object" || message === null) return;
  // A shape and the type of the messages that have it come from the same definition.
  yield { name: shape.name, message, path } as MessagePlace;
  for (const field of shape.fields) {
    if (typeof field.type !== "object" || field.type.kind !== "message") continue;
    const value = fieldValue(message, field);
    if (value === undefined) continue;
    const at = `${path}/${field.json}`;
    if (field.repeated && Array.isArray(value)) {
      for (const [position, item] of value.entries()) yield* walk(field.type, item, `${at}/${position}`);
    } else if (field.key !== undefined && typeof value === "object") {
      for (const [key, item] of Object.entries(value ?? {})) yield* walk(field.type, item, pointer(at, key));
    } else {
      yield* walk(field.type, value, at);
    }
  }
}

/** What a field holds; one of a oneof only if it is the one that is set. */
function fieldValue(message: object, { local, oneof }: FieldShape): unknown {
  const value: unknown = Reflect.get(message, oneof ?? local);
  if (oneof === undefined) return value;
  const isSet = typeof value === "object" && value !== null && Reflect.get(value, "$case") === local;
  return isSet ? Reflect.get(value, "value") : undefined;
}
