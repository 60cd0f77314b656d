import type { Fields } from "../fields.js";

/** A flag as the data of an environment have it. */
export interface FlagText {
  /** The JSON text of the flag. */
  readonly json: string;
}

/** What events of old SDKs leave out because it stands in the flag. */
export interface EventFlag {
  readonly trackEvents: boolean;
  /** Until when evaluations are debugged, in Unix milliseconds of upstream's clock. */
  readonly debugUntil: number;
  /** The first variation that has a value. */
  variationOf(value: unknown): number | undefined;
}

// A flag may be large and is asked about with every event, so it is read once in its life.
const known = new WeakMap<FlagText, EventFlag>();

/** Reads what events need of a flag. */
export function eventFlag(flag: FlagText): EventFlag {
  let read = known.get(flag);
  if (read === undefined) {
    read = readFlag(flag.json);
    known.set(flag, read);
  }
  return read;
}

function readFlag(json: string): EventFlag {
  const flag: Fields = JSON.parse(json);
  const { trackEvents, debugEventsUntilDate, variations } = flag;
  let indexes: Map<string, number> | undefined;
  let lengths: Set<number> | undefined;
  return {
    trackEvents: trackEvents === true,
    debugUntil: typeof debugEventsUntilDate === "number" ? debugEventsUntilDate : 0,
    variationOf(value) {
      indexes ??= indexesOf(Array.isArray(variations) ? variations : []);
      lengths ??= new Set([...indexes.keys()].map(({ length }) => length));
      // Equal values have texts of the same length, and sorting what a client has sent costs many times as much.
      return lengths.has(JSON.stringify(value).length) ? indexes.get(canonicalJson(value)) : undefined;
    },
  };
}

function indexesOf(variations: readonly unknown[]): Map<string, number> {
  const indexes = new Map<string, number>();
  for (const [index, value] of variations.entries()) {
    const text = canonicalJson(value);
    if (!indexes.has(text)) indexes.set(text, index);
  }
  return indexes;
}

/** The same text for equal values, whatever the order of their members. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
