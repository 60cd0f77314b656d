import { describeType, type Fields } from "../json.js";
import { ItemReader } from "./item-reader.js";
import { type ItemInput, type ReadableItem, readItem, unreadable } from "./read-item.js";

/** What a data set is made of, named as in the protocol. */
export type ItemKind = "flags" | "segments";

/** Programs without types pass what they like. */
export function demandKind(kind: unknown): void {
  if (kind === "flags" || kind === "segments") return;
  const given = typeof kind === "string" ? JSON.stringify(kind) : describeType(kind);
  throw new TypeError(`the kind must be "flags" or "segments", not ${given}`);
}

/**
 * A flag, a segment, or what remains of a deleted one: its text, and what was read of it. It comes from that text alone
 * (`parseItem`, `tombstone`), so that the version beside the text is the one in it.
 */
export class Item {
  readonly kind: ItemKind;
  readonly key: string;
  readonly version: number;
  /** Whether it is the mark of a deletion: older versions must not bring the item back. */
  readonly deleted: boolean;
  /** The JSON text that it came as, with all members, also those that mean nothing here; `null` if that was no object. */
  readonly json: string;
  /** Why it is none, if so: its text is no JSON object, or its version no number. It is malformed for every context. */
  readonly fault: string | undefined;
  /** What was parsed, until it is compiled. */
  #parsed: ReadableItem | undefined;

  constructor(kind: ItemKind, key: string, input: ItemInput) {
    demandKind(kind);
    const { parsed, members } = readItem(input);
    this.kind = kind;
    this.key = key;
    const reader = new ItemReader();
    this.version = reader.integer(members, "version") ?? 0;
    this.deleted = members.deleted === true;
    this.json = ownCopy(parsed.json);
    this.fault =
      parsed.json === unreadable
        ? parsed.reader.problems[0]?.message
        : reader.problems[0] && "its version is not a number";
    this.#parsed = parsed;
  }

  /**
   * Lets its members be read; what was parsed for the first reader is not kept for others.
   * @internal
   */
  read(): ReadableItem {
    const parsed = this.#parsed ?? readItem(this.json).parsed;
    // What was no object cannot be read again: its text is gone.
    this.#parsed = this.json === unreadable ? parsed : undefined;
    return parsed;
  }
}

/** Engines take a piece of a longer text as a view of it: the whole set that an item came with would stay in memory. */
function ownCopy(text: string): string {
  if (/[\ud800-\udfff]/.test(text)) return JSON.parse(JSON.stringify(text));
  // One unit of UTF-16 is three bytes at most.
  if (3 * text.length > scratch.length) return decoder.decode(encoder.encode(text));
  const { written } = encoder.encodeInto(text, scratch);
  return decoder.decode(scratch.subarray(0, written));
}

/** Memory for each of thousands of items would take longer to get than to fill. */
const scratch = new Uint8Array(64 * 1024);

const encoder = new TextEncoder();
// A byte order mark is a character like others here.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Reads a flag or a segment from its JSON text. Its version and whether it is deleted are what the text says; what cannot
 * be read has version 0 and is malformed for every context.
 */
export function parseItem(kind: ItemKind, key: string, json: string): Item {
  return new Item(kind, key, json);
}

/** The mark that an item was deleted with that version. */
export function tombstone(kind: ItemKind, key: string, version: number): Item {
  return new Item(kind, key, { key, version, deleted: true } satisfies Fields);
}
