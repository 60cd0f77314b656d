import { itemsPerStep, type Sliced } from "../../records/sliced.js";
import type { Vehicle } from "../../vehicle.js";
import type { VehicleCondition } from "../catalogue.js";
import { foldText } from "../search/fold-text.js";
import { GrowingList } from "../search/growing-list.js";
import { merge, sorted } from "./sorted.js";

/** More cheap steps than these are not done without a break. */
const mostPlaces = 8192;

/**
 * The values of one attribute, each once, and which row has which. It grows as its table does: what is known of a row holds
 * for good, so several may have it grow at the same time, in slices.
 */
export class Column {
  readonly #path: readonly string[];
  /** Per row: the number of its value; that of no value is 0. */
  readonly #codes = new GrowingList();
  readonly #values: unknown[] = [undefined];
  readonly #codeOf = new Map<unknown, number>();
  /** The numbers of values in the order of these, as far as somebody has asked for it; and per value its place there. */
  #order: { readonly codes: readonly number[]; readonly ranks: Uint32Array } | undefined;

  /** A column of an attribute, or of a member of one (`energy_consumption.average_consumption`). */
  constructor(attribute: string) {
    this.#path = attribute.split(".");
  }

  /** Whether somebody has ordered by it. */
  get isOrdered(): boolean {
    return this.#order !== undefined;
  }

  /** Reads rows until so many are known. */
  *grow(vehicles: readonly Vehicle[], rows: number): Sliced<void> {
    while (this.#codes.length < rows) {
      const value = this.#path.reduce(memberOf, vehicles[this.#codes.length] as unknown);
      this.#codes.push(value === undefined || value === null ? 0 : this.#codeFor(value));
      if (this.#codes.length % itemsPerStep === 0) yield;
    }
  }

  /** Those of the places whose rows satisfy a condition; a row without a value never does. */
  *satisfying(places: Uint32Array, rows: Uint32Array, condition: VehicleCondition): Sliced<Uint32Array> {
    const holds = testOf(condition);
    const satisfied = new Uint8Array(this.#values.length);
    for (let code = 1; code < satisfied.length; code++) {
      const value = this.#values[code];
      if (Array.isArray(value) ? value.some(holds) : holds(value)) satisfied[code] = 1;
      if (code % mostPlaces === 0) yield;
    }
    const codes = this.#codes.items;
    return places.filter((place) => satisfied[codes[rows[place] ?? 0] ?? 0] === 1);
  }

  /** The places by the values of their rows; equals stay in the order in which they were, and unknown values come last. */
  *ordered(places: Uint32Array, rows: Uint32Array, isDescending: boolean): Sliced<Uint32Array> {
    const ranks = yield* this.#ranks();
    const codes = this.#codes.items;
    const last = ranks.length;
    const keyOf = (place: number): number => {
      const code = codes[rows[place] ?? 0] ?? 0;
      if (code === 0) return last;
      const rank = ranks[code] ?? 0;
      return isDescending ? last - 1 - rank : rank;
    };
    const keys = new Uint32Array(places.length);
    /** Per key: how many places come before those that have it. */
    const starts = new Uint32Array(last + 2);
    for (let at = 0; at < places.length; at++) {
      const key = keyOf(places[at] ?? 0);
      keys[at] = key;
      starts[key + 1] = (starts[key + 1] ?? 0) + 1;
      if (at % mostPlaces === 0) yield;
    }
    for (let key = 1; key < starts.length; key++) starts[key] = (starts[key] ?? 0) + (starts[key - 1] ?? 0);
    const ordered = new Uint32Array(places.length);
    for (let at = 0; at < places.length; at++) {
      const key = keys[at] ?? 0;
      const to = starts[key] ?? 0;
      ordered[to] = places[at] ?? 0;
      starts[key] = to + 1;
      if (at % mostPlaces === 0) yield;
    }
    return ordered;
  }

  /** Puts the values in order, so that nobody has to wait for it later. */
  *order(): Sliced<void> {
    yield* this.#ranks();
  }

  #codeFor(value: unknown): number {
    // Lists are equal when they are written alike.
    const key = Array.isArray(value) ? `[${JSON.stringify(value)}` : value;
    const known = this.#codeOf.get(key);
    if (known !== undefined) return known;
    const code = this.#values.push(value) - 1;
    this.#codeOf.set(key, code);
    return code;
  }

  /** Per value: where it stands among the others; equals share a number. Values that came since the last time are put in. */
  *#ranks(): Sliced<Uint32Array> {
    const former = this.#order;
    const count = this.#values.length;
    if (former?.ranks.length === count) return former.ranks;
    const added: { readonly code: number; readonly key: string | number }[] = [];
    for (let code = former?.ranks.length ?? 1; code < count; code++) {
      added.push({ code, key: keyOf(this.#values[code]) });
      if (code % itemsPerStep === 0) yield;
    }
    const compared = (yield* sorted(added, (a, b) => compareKeys(a.key, b.key))).map(({ code }) => code);
    const compare = (a: number, b: number): number =>
      compareKeys(keyOf(this.#values[a]), keyOf(this.#values[b]));
    const codes = yield* merge(former?.codes ?? [], compared, compare);
    const ranks = new Uint32Array(count);
    let rank = 0;
    for (const [at, code] of codes.entries()) {
      const before = codes[at - 1];
      if (before !== undefined && compare(before, code) !== 0) rank++;
      ranks[code] = rank;
      if (at % itemsPerStep === 0) yield;
    }
    this.#order = { codes, ranks };
    return ranks;
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function testOf(condition: VehicleCondition): (value: unknown) => boolean {
  if (condition.is === "in") {
    const wanted = new Set<unknown>(condition.values);
    return (value) => wanted.has(typeof value === "string" ? value.toLowerCase() : value);
  }
  const { is, bound } = condition;
  return (value) => {
    if (typeof value !== "number") return false;
    if (is === "gt") return value > bound;
    if (is === "gte") return value >= bound;
    return is === "lt" ? value < bound : value <= bound;
  };
}

function keyOf(value: unknown): string | number {
  return typeof value === "string" ? foldText(value) : Number(value);
}

function compareKeys(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
