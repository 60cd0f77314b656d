import { checkArguments } from "./check-arguments.js";
import { isObject } from "./json-value.js";
import type { FieldShape } from "./message-table.js";
import { messageShape } from "./pipeline-shapes.js";
import type { MessageName } from "./read-json.js";

/**
 * Refuses arguments that are no messages of a type, such as its JSON, before something deep inside misses a list or a map. Looks at
 * the fields of each, and not at what is below them.
 *
 * @throws TypeError that names the function, the argument and the field
 */
export function checkMessage(
  caller: string,
  name: MessageName,
  args: Readonly<Record<string, unknown>>,
): void {
  checkArguments(caller, "object", args);
  for (const [argument, value] of Object.entries(args ?? {})) {
    if (!isObject(value)) continue;
    const field = messageShape(name, "checkMessage").fields.find((one) => !fits(one, value));
    if (field === undefined) continue;
    throw new TypeError(
      `${caller} takes a message ${name} as its ${argument}, and this one has no ${formOf(field)} ${field.local}: make it by ${name}.create or readJson`,
    );
  }
}

/** Fields that messages always have: lists, maps and texts. The others may be missing, or are of no use to anybody who looks inside. */
function fits({ local, repeated, key, type, optional, oneof }: FieldShape, message: object): boolean {
  const value: unknown = Reflect.get(message, local);
  if (repeated) return Array.isArray(value);
  if (key !== undefined) return isObject(value);
  return type !== "s" || optional || oneof !== undefined || typeof value === "string";
}

function formOf({ repeated, key }: FieldShape): string {
  if (repeated) return "list";
  return key === undefined ? "text" : "map";
}
