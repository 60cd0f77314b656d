import { type FieldShape, type FieldType, type MessageShape, parseTable } from "./message-table.js";
import type { Reading } from "./reading.js";

/** What well-known types look like in binary. */
const wellKnownTable = `
V null_value:i number_value:d string_value:s bool_value:b struct_value:S list_value:L
S fields:{s}V
L values:*V
D seconds:l nanos:i
A type_url:s value:y
`;

let wellKnown: ReturnType<typeof parseTable> | undefined;

/** The wire types in which a scalar may come; whether an integer is of fixed size does not matter here. */
function wiresOf(code: string): readonly number[] | undefined {
  switch (code) {
    case "d":
      return [1];
    case "f":
      return [5];
    case "b":
    case "N":
      return [0];
    case "i":
    case "u":
      return [0, 5];
    case "l":
    case "w":
      return [0, 1];
    default:
      return undefined;
  }
}

function wires(type: FieldType): readonly number[] | undefined {
  if (typeof type === "string") return wiresOf(type);
  return type.kind === "enum" ? [0] : undefined;
}

/** True when a field can be in this wire type; numbers of a list may be packed. */
function fits({ type, key, repeated }: FieldShape, wire: number): boolean {
  const single = key === undefined ? wires(type) : undefined;
  return single === undefined ? wire === 2 : single.includes(wire) || (repeated && wire === 2);
}

function wellKnownShape(code: string): MessageShape | undefined {
  wellKnown ??= parseTable(wellKnownTable);
  const shape = wellKnown.get(code);
  return shape?.kind === "message" ? shape : undefined;
}

/** Thrown where the bytes cannot be followed any further; never leaves this file. */
class BrokenBytes extends Error {}

/**
 * Walks a message in binary form before it is decoded, and notes what the generated decoder would lose or stumble over:
 * bytes that are no message, text that is not UTF-8, too deep nesting, and fields that are reserved or not known.
 */
export function checkBinary(shape: MessageShape, bytes: Uint8Array, reading: Reading): void {
  try {
    new BinaryCheck(bytes, reading).message(shape, bytes.length);
  } catch (error) {
    if (!(error instanceof BrokenBytes)) throw error;
    reading.error("invalid-binary", error.message);
  }
}

class BinaryCheck {
  private readonly bytes: Uint8Array;
  private readonly reading: Reading;
  private readonly text: TextDecoder = new TextDecoder("utf-8", { fatal: true });
  private at = 0;

  constructor(bytes: Uint8Array, reading: Reading) {
    this.bytes = bytes;
    this.reading = reading;
  }

  message(shape: MessageShape, end: number): void {
    const { path } = this.reading;
    if (path.length >= this.reading.maxDepth) {
      this.reading.error("too-deep", `nested deeper than ${this.reading.maxDepth} levels`);
      this.at = end;
      return;
    }
    // In JSON, Struct, Value and ListValue are what they hold.
    const isPlain = shape.name === "V" || shape.name === "S" || shape.name === "L";
    const counts: number[] = [];
    const depth = path.length;
    while (this.at < end) {
      const { number, wire } = this.tag(end);
      const field = shape.fields.find((candidate) => candidate.number === number);
      if (field === undefined || !fits(field, wire)) {
        this.unknown(shape, number, field);
        this.skip(number, wire, end);
        continue;
      }
      const count = counts[number] ?? 0;
      counts[number] = count + 1;
      if (!isPlain) path.push(field.json);
      if (count === 0 && field.replacedBy !== undefined)
        this.reading.deprecated(field.json, field.replacedBy);
      if (field.key !== undefined) this.entry(field, this.length(end));
      else if (field.repeated) this.item(field, wire, count, end);
      else this.single(field, wire, count, end);
      path.length = depth;
    }
  }

  private unknown(shape: MessageShape, number: number, field: FieldShape | undefined): void {
    if (shape.reserved.some(([from, to]) => number >= from && number <= to)) {
      const message = `field ${number} of ${shape.name} is reserved, and left out`;
      this.reading.note("warning", "reserved-field", message, "it was removed from the format");
    } else if (this.reading.unknownFields !== undefined) {
      const what =
        field === undefined ? `${shape.name} has no field ${number}` : `"${field.json}" is of another type`;
      this.reading.note("warning", "unknown-field", `${what}, so it is left out`);
    }
  }

  private single(field: FieldShape, wire: number, count: number, end: number): void {
    if (count > 0 && typeof field.type === "object" && field.type.kind === "message") {
      const message = `"${field.json}" is here more than once, of which the last is taken`;
      this.reading.note("warning", "duplicate-field", message);
    }
    this.value(field.type, wire, end);
  }

  private item(field: FieldShape, wire: number, count: number, end: number): void {
    this.reading.path.push(count);
    const [plain] = wires(field.type) ?? [];
    if (wire !== 2 || plain === undefined) {
      this.value(field.type, wire, end);
      return;
    }
    const packedEnd = this.length(end);
    while (this.at < packedEnd) this.skip(1, plain, packedEnd);
  }

  private entry(field: FieldShape, end: number): void {
    const { path } = this.reading;
    path.push("");
    while (this.at < end) {
      const { number, wire } = this.tag(end);
      if (number === 1) path[path.length - 1] = this.mapKey(wire, end);
      else if (number === 2) this.value(field.type, wire, end);
      else this.skip(number, wire, end);
    }
  }

  private mapKey(wire: number, end: number): string {
    if (wire === 2) return this.string(this.length(end));
    if (wire === 0) return String(this.varint(end));
    this.skip(1, wire, end);
    return "";
  }

  private value(type: FieldType, wire: number, end: number): void {
    const shape = typeof type === "object" ? type : wellKnownShape(type);
    if (wire !== 2) this.skip(1, wire, end);
    else if (shape?.kind === "message") this.message(shape, this.length(end));
    else if (type === "s") this.skipString(this.length(end));
    else this.at = this.length(end);
  }

  private tag(end: number): { number: number; wire: number } {
    const tag = this.varint(end);
    const number = Math.floor(tag / 8);
    if (number === 0 || number >= 2 ** 29) this.broken(`there is no field with the number ${number}`);
    return { number, wire: tag % 8 };
  }

  /** Reads the length of what follows, and tells where it ends. */
  private length(end: number): number {
    const length = this.varint(end);
    if (length > end - this.at) this.broken("something is longer than what it is in");
    return this.at + length;
  }

  private string(end: number): string {
    const bytes = this.bytes.subarray(this.at, end);
    this.at = end;
    try {
      return this.text.decode(bytes);
    } catch {
      this.reading.error("invalid-unicode", "the text is not UTF-8");
      return "";
    }
  }

  /** Looks at a text without making it, which ASCII does not need. */
  private skipString(end: number): void {
    while (this.at < end && (this.bytes[this.at] ?? 0) < 0x80) this.at++;
    if (this.at < end) this.string(end);
  }

  /** Exact as far as numbers are, which is further than any tag or length reaches. */
  private varint(end: number): number {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 63; factor *= 128) {
      if (this.at >= end) return this.broken("a number is cut off");
      const byte = this.bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    return this.broken("a number is longer than 10 bytes");
  }

  private skip(number: number, wire: number, end: number): void {
    if (wire === 0) this.varint(end);
    else if (wire === 2) this.at = this.length(end);
    else if (wire === 1 || wire === 5) this.at += wire === 1 ? 8 : 4;
    else if (wire === 3) this.skipGroup(number, end);
    else this.broken(wire === 4 ? "a group ends that has not begun" : `there is no wire type ${wire}`);
    if (this.at > end) this.broken("a number is cut off");
  }

  private skipGroup(first: number, end: number): void {
    const open = [first];
    while (open.length > 0) {
      const { number, wire } = this.tag(end);
      if (wire === 3) open.push(number);
      else if (wire !== 4) this.skip(number, wire, end);
      else if (open.pop() !== number) this.broken("a group ends that has not begun");
    }
  }

  private broken(message: string): never {
    throw new BrokenBytes(`${message}, at byte ${this.at}`);
  }
}
