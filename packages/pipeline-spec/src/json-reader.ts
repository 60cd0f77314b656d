import { nearest } from "./did-you-mean.js";
import { listReader, mapCreator, mapReader, tooDeep } from "./json-collection.js";
import { longestName, pointer } from "./json-pointer.js";
import { enumReader, type JsonReader, scalarReaders, wrongType } from "./json-scalar.js";
import { isObject } from "./json-value.js";
import { wellKnownReaders } from "./json-well-known.js";
import type { FieldShape, FieldType, MessageShape } from "./message-table.js";
import type { Reading } from "./reading.js";

/** A field, ready to be read. */
interface FieldReader {
  readonly shape: FieldShape;
  /** True when JSON null is a value of the field, rather than another way to leave it out. */
  readonly takesNull: boolean;
  /** True when there is more to check than the value. */
  readonly special: boolean;
  readonly read: JsonReader;
}

type Message = { [name: string]: unknown };

/** Turns shapes into readers, each once, when it is first needed. */
export class JsonReaders {
  private readonly readers = new Map<MessageShape, JsonReader>();

  /** The reader of a message type: it makes what ts-proto makes of the same message in binary. */
  message(shape: MessageShape): JsonReader {
    const known = this.readers.get(shape);
    if (known !== undefined) return known;
    let reader: JsonReader | undefined;
    // Types may refer to each other in a circle, so the fields are looked at when the first message comes.
    const late: JsonReader = (json, reading) => {
      reader ??= messageReader(shape, this.fields(shape));
      return reader(json, reading);
    };
    this.readers.set(shape, late);
    return late;
  }

  private fields(shape: MessageShape): Map<string, FieldReader> {
    const fields = new Map<string, FieldReader>();
    for (const field of shape.fields) {
      const single = !field.repeated && field.key === undefined;
      const reader: FieldReader = {
        shape: field,
        takesNull: single && (field.type === "V" || field.type === "N"),
        special: field.oneof !== undefined || field.replacedBy !== undefined,
        read: this.field(field),
      };
      fields.set(field.name, reader);
      fields.set(field.json, reader);
    }
    return fields;
  }

  private field(field: FieldShape): JsonReader {
    const read = this.value(field.type);
    const nullable = field.type === "V" || field.type === "N";
    if (field.key !== undefined) return mapReader(field.key, read, nullable, longestName);
    return field.repeated ? listReader(read, nullable) : read;
  }

  private value(type: FieldType): JsonReader {
    if (typeof type === "object") return type.kind === "message" ? this.message(type) : enumReader(type);
    // The two tables have all letters between them.
    return type in scalarReaders
      ? scalarReaders[type as keyof typeof scalarReaders]
      : wellKnownReaders[type as keyof typeof wellKnownReaders];
  }
}

function messageReader(shape: MessageShape, fields: ReadonlyMap<string, FieldReader>): JsonReader {
  const create = creator(shape);
  return (json, reading) => {
    if (!isObject(json))
      return wrongType(
        reading,
        `an object (${shape.name})`,
        json,
        plainValueHint(shape, reading) ?? reading.formHint?.(shape.name, json),
      );
    const { path } = reading;
    const depth = path.length;
    if (depth >= reading.maxDepth) return tooDeep(reading);
    const message = create();
    for (const key of Object.keys(json)) {
      path[depth] = key;
      const field = fields.get(key) ?? misspeltField(shape, fields, json, key, reading);
      if (field === undefined) continue;
      const value = json[key];
      if (key === field.shape.name && key !== field.shape.json && Object.hasOwn(json, field.shape.json)) {
        reading.error("duplicate-field", `"${key}" and "${field.shape.json}" are the same field`);
        continue;
      }
      if (value === null && !field.takesNull) continue;
      if (field.special && !isAllowed(field.shape, message, json, reading)) continue;
      const result = field.read(value, reading);
      if (result === undefined) continue;
      const { local, oneof } = field.shape;
      if (oneof === undefined) message[local] = result;
      else message[oneof] = { $case: local, value: result };
    }
    path.length = depth;
    return message;
  };
}

/** Where a plain value goes that stands in one of the old fields for typed ones. */
function plainValueHint({ name }: MessageShape, { path }: Reading): string | undefined {
  if (name !== "Value") return undefined;
  if (path.at(-1) === "constantValue") return "did you mean constant?";
  return path.at(-2) === "parameters" ? "did you mean parameterValues?" : undefined;
}

/**
 * Remarks on a deprecated field, and refuses a second member of a oneof. Compilers write an old field beside the new one for back ends
 * of old, about which nobody has to be told.
 */
function isAllowed(
  field: FieldShape,
  message: Message,
  json: { readonly [key: string]: unknown },
  reading: Reading,
): boolean {
  const isReplaced = field.replacedBy?.some((name) => Object.hasOwn(json, name)) ?? true;
  if (field.replacedBy !== undefined && !isReplaced) reading.deprecated(field.json, field.replacedBy);
  if (field.oneof === undefined) return true;
  const other = message[field.oneof];
  if (other === undefined) return true;
  // Only this file puts anything there.
  const set = (other as { $case: string }).$case;
  reading.error(
    "oneof-conflict",
    `"${field.json}" cannot be set together with "${set}"`,
    "remove one of the two",
  );
  return false;
}

/**
 * Notes a field that the message does not have, and finds the one that was meant: where the file is refused anyway, it is
 * read as that, so that its content can be looked at and nothing else seems to be missing.
 */
function misspeltField(
  shape: MessageShape,
  fields: ReadonlyMap<string, FieldReader>,
  json: { readonly [key: string]: unknown },
  key: string,
  reading: Reading,
): FieldReader | undefined {
  const severity = reading.unknownFields;
  if (severity === undefined) return undefined;
  const name = JSON.stringify(key);
  // Where nobody will see the hint, finding it would only take time.
  if (reading.isFull(severity)) return reading.note(severity, "unknown-field", "");
  const tight = tightColon(fields, key);
  const names = shape.fields.map((field) => field.json);
  const meant = tight ? undefined : nearest(key, names);
  const foreign = tight ?? reading.formHint?.(shape.name, json[key], key);
  const hint = foreign ?? (meant === undefined ? elsewhere(shape, key) : `did you mean "${meant}"?`);
  reading.note(severity, "unknown-field", `${shape.name} has no field ${name}`, hint);
  const field = meant === undefined ? undefined : fields.get(meant);
  if (severity !== "error" || field === undefined || isTaken(shape, field.shape, json)) return undefined;
  const place = pointer("", ...reading.path.slice(0, -1), field.shape.json);
  if (reading.misspelt.has(place)) return undefined;
  reading.misspelt.set(place, key);
  return field;
}

/** True when a field is there under its right name, or another member of its oneof is. */
function isTaken(shape: MessageShape, field: FieldShape, json: { readonly [key: string]: unknown }): boolean {
  const rivals =
    field.oneof === undefined ? [field] : shape.fields.filter(({ oneof }) => oneof === field.oneof);
  return rivals.some((one) => Object.hasOwn(json, one.json) || Object.hasOwn(json, one.name));
}

/** What is missing behind the name of a field that goes on with its value. */
function tightColon(fields: ReadonlyMap<string, FieldReader>, key: string): string | undefined {
  const [, name = "", colon] = /^(\w+)([:\uff1a])/.exec(key) ?? [];
  if (!fields.has(name)) return undefined;
  return colon === ":" ? "put a blank behind the colon" : "write an ordinary colon, and a blank behind it";
}

/** Says in which field a name is known, when it stands one level too high. */
function elsewhere(shape: MessageShape, key: string): string | undefined {
  const places = shape.fields.flatMap(({ type, json, repeated, key: isMap }) => {
    if (typeof type !== "object" || type.kind !== "message" || repeated || isMap !== undefined) return [];
    return type.fields.some((field) => field.json === key || field.name === key) ? [`${json}.${key}`] : [];
  });
  return places.length === 0 || places.length > 3 ? undefined : `write ${places.join(" or ")}`;
}

/** Makes messages in which every field has its default. */
function creator(shape: MessageShape): () => Message {
  const template: Message = {};
  const collections: [name: string, create: () => unknown][] = [];
  for (const field of shape.fields) {
    template[field.oneof ?? field.local] = undefined;
    if (field.oneof !== undefined || field.optional) continue;
    if (field.key !== undefined) collections.push([field.local, mapCreator(field.key)]);
    else if (field.repeated) collections.push([field.local, () => []]);
    else template[field.local] = defaultOf(field.type);
  }
  // Objects of one constructor have room for all their fields in themselves; copies keep them apart from the fifth on.
  function Blank(this: Message): void {
    Object.assign(this, template);
  }
  Blank.prototype = Object.prototype;
  // A function that is declared has no signature for `new`.
  const Constructor = Blank as unknown as new () => Message;
  return () => {
    const message = new Constructor();
    for (const [name, create] of collections) message[name] = create();
    return message;
  };
}

function defaultOf(type: FieldType): unknown {
  if (typeof type === "object") return type.kind === "enum" ? 0 : undefined;
  switch (type) {
    case "s":
      return "";
    case "b":
      return false;
    case "l":
    case "w":
      return "0";
    case "y":
      return new Uint8Array(0);
    default:
      return "VSLDA".includes(type) ? undefined : 0;
  }
}
