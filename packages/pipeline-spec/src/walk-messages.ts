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
  const shape = messageShape(name, "walkMessages");
  const open: Open[] = [{ shape, message, path }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.message !== "object" || next.message === null) continue;
    // A shape and the type of the messages that have it come from the same definition.
    yield { name: next.shape.name, message: next.message, path: next.path } as MessagePlace;
    for (const inside of messagesIn(next.shape, next.message, next.path).reverse()) open.push(inside);
  }
}

/** A message that is still to be visited; what no type has checked may be anything. */
interface Open {
  readonly shape: MessageShape;
  readonly message: unknown;
  readonly path: string;
}

/** The messages that stand directly in one. */
function messagesIn(shape: MessageShape, message: object, path: string): Open[] {
  const found: Open[] = [];
  for (const field of shape.fields) {
    if (typeof field.type !== "object" || field.type.kind !== "message") continue;
    const { type } = field;
    const value = fieldValue(message, field);
    if (value === undefined) continue;
    const at = `${path}/${field.json}`;
    if (field.repeated && Array.isArray(value)) {
      for (let position = 0; position < value.length; position++)
        found.push({ shape: type, message: value[position], path: `${at}/${position}` });
    } else if (field.key !== undefined && typeof value === "object") {
      for (const [key, item] of Object.entries(value ?? {}))
        found.push({ shape: type, message: item, path: pointer(at, key) });
    } else {
      found.push({ shape: type, message: value, path: at });
    }
  }
  return found;
}

/** What a field holds; one of a oneof only if it is the one that is set. */
function fieldValue(message: object, { local, oneof }: FieldShape): unknown {
  const value: unknown = Reflect.get(message, oneof ?? local);
  if (oneof === undefined) return value;
  const isSet = typeof value === "object" && value !== null && Reflect.get(value, "$case") === local;
  return isSet ? Reflect.get(value, "value") : undefined;
}
