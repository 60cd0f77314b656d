import { durationFromNanos, longestDuration, nanosOfDuration } from "./duration.js";
import { PipelineSpecError } from "./error.js";
import { pointer } from "./json-pointer.js";
import { describeValue, isObject } from "./json-value.js";
import type { EnumShape, FieldShape, FieldType, MessageShape } from "./message-table.js";
import { setEntry } from "./set-entry.js";
import { highestMaxDepth } from "./yaml-limits.js";

/** A little more than anything that can be read: names of fields count here as well. */
const maxDepth = highestMaxDepth + 100;

/** One writing of one message: where it is. */
export class JsonWriting {
  readonly path: (string | number)[] = [];

  /** Gives up on the value at the current path. */
  fail(message: string): never {
    throw new PipelineSpecError("unwritable", pointer("", ...this.path), message);
  }

  /** Goes one level down; `leave` comes back. */
  enter(key: string | number): void {
    if (this.path.push(key) > maxDepth) this.fail(`nested deeper than ${maxDepth} levels`);
  }

  leave(): void {
    this.path.pop();
  }
}

type JsonWriter = (value: unknown, writing: JsonWriting) => unknown;

/** Turns shapes into writers, each once, when it is first needed. */
export class JsonWriters {
  private readonly writers = new Map<MessageShape, JsonWriter>();

  /** The writer of a message type: keys in alphabetical order, fields with their default left out. */
  message(shape: MessageShape): JsonWriter {
    const known = this.writers.get(shape);
    if (known !== undefined) return known;
    let fields: readonly FieldWriter[] | undefined;
    const oneofs = oneofsOf(shape);
    const writer: JsonWriter = (value, writing) => {
      fields ??= this.fields(shape);
      if (!isObject(value))
        return writing.fail(`expected an object (${shape.name}), got ${describeValue(value)}`);
      const json = writeMessage(value, fields, writing);
      for (const oneof of oneofs) checkOneof(oneof, value[oneof.name], writing);
      return json;
    };
    this.writers.set(shape, writer);
    return writer;
  }

  private fields(shape: MessageShape): FieldWriter[] {
    const sorted = [...shape.fields].sort((a, b) => (a.json < b.json ? -1 : 1));
    return sorted.map((field) => ({ shape: field, write: this.field(field) }));
  }

  private field(field: FieldShape): JsonWriter {
    const write = this.value(field.type);
    if (field.key !== undefined) return mapWriter(write);
    return field.repeated ? listWriter(write) : write;
  }

  private value(type: FieldType): JsonWriter {
    if (typeof type === "object") return type.kind === "message" ? this.message(type) : enumWriter(type);
    return writers[type];
  }
}

interface FieldWriter {
  readonly shape: FieldShape;
  readonly write: JsonWriter;
}

function writeMessage(
  message: { readonly [name: string]: unknown },
  fields: readonly FieldWriter[],
  writing: JsonWriting,
): { [name: string]: unknown } {
  const json: { [name: string]: unknown } = {};
  for (const { shape, write } of fields) {
    const value =
      shape.oneof === undefined ? message[shape.local] : memberOf(message[shape.oneof], shape.local);
    if (value === undefined || isDefault(value, shape)) continue;
    writing.enter(shape.json);
    json[shape.json] = write(value, writing);
    writing.leave();
  }
  return json;
}

/** Fields of which one at most is there. */
interface Oneof {
  readonly name: string;
  readonly members: readonly string[];
}

function oneofsOf({ fields }: MessageShape): Oneof[] {
  const names = new Set(fields.map(({ oneof }) => oneof).filter((name) => name !== undefined));
  return [...names].map((name) => ({
    name,
    members: fields.filter(({ oneof }) => oneof === name).map(({ local }) => local),
  }));
}

/** What is in a oneof without naming a member would be lost in silence. */
function checkOneof({ name, members }: Oneof, value: unknown, writing: JsonWriting): void {
  if (value === undefined || value === null) return;
  if (isObject(value) && members.some((member) => value.$case === member)) return;
  writing.fail(`${name} must be { $case, value }, and $case one of ${members.join(", ")}`);
}

function memberOf(oneof: unknown, name: string): unknown {
  return isObject(oneof) && oneof.$case === name ? oneof.value : undefined;
}

/** True when a value need not be written, because a reader takes it for granted. */
function isDefault(value: unknown, { oneof, optional, repeated, key, type }: FieldShape): boolean {
  if (oneof !== undefined || optional) return false;
  if (repeated) return Array.isArray(value) && value.length === 0;
  if (key !== undefined) {
    return value instanceof Map ? value.size === 0 : isObject(value) && Object.keys(value).length === 0;
  }
  if (type === "y") return value instanceof Uint8Array && value.length === 0;
  if (typeof type === "object" ? type.kind === "message" : "VSLDA".includes(type)) return false;
  if (type === "l" || type === "w") return value === "0";
  return value === "" || value === false || Object.is(value, 0);
}

function listWriter(write: JsonWriter): JsonWriter {
  return (value, writing) => {
    if (!Array.isArray(value)) return writing.fail(`expected a list, got ${describeValue(value)}`);
    return value.map((item, index) => {
      writing.enter(index);
      const json = write(item, writing);
      writing.leave();
      return json;
    });
  };
}

function mapWriter(write: JsonWriter): JsonWriter {
  return (value, writing) => {
    if (!isObject(value)) return writing.fail(`expected an object, got ${describeValue(value)}`);
    // Object.fromEntries takes the keys of a Map for text, as JSON does.
    const map: { readonly [key: string]: unknown } = value instanceof Map ? Object.fromEntries(value) : value;
    const json: { [key: string]: unknown } = {};
    for (const key of Object.keys(map).sort()) {
      const item = map[key];
      if (item === undefined) continue;
      writing.enter(key);
      setEntry(json, key, write(item, writing));
      writing.leave();
    }
    return json;
  };
}

const writeList = listWriter(writeValue);
const writeStruct = mapWriter(writeValue);

/** A copy of a JSON value, with keys in alphabetical order. */
function writeValue(value: unknown, writing: JsonWriting): unknown {
  switch (typeof value) {
    case "string":
      return writeText(value, writing);
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : writing.fail(`${value} has no form in JSON`);
    case "object":
      if (value === null) return null;
      return Array.isArray(value) ? writeList(value, writing) : writeStruct(value, writing);
    default:
      return writing.fail(`expected a JSON value, got ${describeValue(value)}`);
  }
}

function writeText(value: unknown, writing: JsonWriting): string {
  if (typeof value !== "string") return writing.fail(`expected text, got ${describeValue(value)}`);
  return value.isWellFormed() ? value : writing.fail("the text holds half of a surrogate pair");
}

function writeNumber(value: unknown, writing: JsonWriting): unknown {
  if (typeof value !== "number") return writing.fail(`expected a number, got ${describeValue(value)}`);
  return Number.isFinite(value) ? value : String(value);
}

/** The shortest number that reads back as the same 32-bit float. */
function writeFloat(value: unknown, writing: JsonWriting): unknown {
  const exact = writeNumber(value, writing);
  if (typeof exact !== "number") return exact;
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(exact.toPrecision(digits));
    if (Math.fround(short) === Math.fround(exact)) return short;
  }
  return exact;
}

function writeInteger(value: unknown, writing: JsonWriting): number {
  return Number.isInteger(value)
    ? Number(value)
    : writing.fail(`expected an integer, got ${describeValue(value)}`);
}

function writeBigInteger(value: unknown, writing: JsonWriting): string {
  return typeof value === "string" && /^-?\d{1,20}$/.test(value)
    ? String(BigInt(value))
    : writing.fail(`expected an integer as text, got ${describeValue(value)}`);
}

function writeBytes(value: unknown, writing: JsonWriting): string {
  if (!(value instanceof Uint8Array))
    return writing.fail(`expected a Uint8Array, got ${describeValue(value)}`);
  let binary = "";
  for (const byte of value) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function writeDuration(value: unknown, writing: JsonWriting): string {
  const nanos = typeof value === "string" ? nanosOfDuration(value) : undefined;
  if (nanos === undefined)
    return writing.fail(`expected a duration such as "30s", got ${describeValue(value)}`);
  const size = nanos < 0n ? -nanos : nanos;
  if (size > BigInt(longestDuration) * 1_000_000_000n)
    return writing.fail(`the duration ${value} is too long`);
  return durationFromNanos(nanos);
}

function writeAny(value: unknown, writing: JsonWriting): { [key: string]: unknown } {
  if (isObject(value) && value.typeUrl === "") return {};
  return writing.fail("a google.protobuf.Any can only be written when it is empty");
}

const writers: { readonly [C in Extract<FieldType, string>]: JsonWriter } = {
  s: writeText,
  b: (value, writing) =>
    typeof value === "boolean" ? value : writing.fail(`expected a boolean, got ${describeValue(value)}`),
  y: writeBytes,
  d: writeNumber,
  f: writeFloat,
  i: writeInteger,
  u: writeInteger,
  l: writeBigInteger,
  w: writeBigInteger,
  V: writeValue,
  S: writeStruct,
  L: writeList,
  N: () => null,
  D: writeDuration,
  A: writeAny,
};

/** Names where there is one, and the number itself where there is none. */
function enumWriter({ names }: EnumShape): JsonWriter {
  return (value, writing) => {
    const number = writeInteger(value, writing);
    return names.get(number) ?? number;
  };
}
