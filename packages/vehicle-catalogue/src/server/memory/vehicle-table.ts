import type { Brand } from "../../brand.js";
import { itemsPerStep, type Sliced } from "../../records/sliced.js";
import type { Vehicle } from "../../vehicle.js";
import { Fingerprint } from "../fingerprint.js";
import { GrowingIndex } from "../search/growing-index.js";
import { GrowingList } from "../search/growing-list.js";
import type { SearchedTexts } from "../search/postings.js";
import { compareBrands, compareOrderKeys, keyOf, type OrderKey } from "../vehicle-order.js";
import { Column } from "./column.js";
import { orderedPlaces } from "./ordered-places.js";
import { RowFingerprints } from "./row-fingerprints.js";
import { merge, sorted } from "./sorted.js";
import { spliced } from "./spliced-order.js";
import { type VehicleFingerprint, VehicleFingerprints } from "./vehicle-fingerprints.js";

/** Vehicles that are put in, and ids of those that go out. */
export interface Changes {
  readonly put: readonly Vehicle[];
  readonly out: readonly string[];
  /** The time of the changes. Each change has a later one. */
  readonly at: number;
}

interface Addition {
  readonly change: number;
  readonly at: number;
  readonly former: VehicleTable | undefined;
  readonly fingerprints: VehicleFingerprints;
}

/** One state of a table: which of its rows are there, and in which order. */
export interface TableState {
  /** Changes are numbered; a row that went out at a later one is still there. */
  readonly change: number;
  /** Rows from here on came later. */
  readonly rows: number;
  /** The rows that are there, in the order of vehicles. */
  readonly order: Uint32Array;
  readonly brands: readonly Brand[];
  readonly version: string;
  /** The version of what every key sees. */
  readonly restrictedVersion: string;
  /** When it last changed. */
  readonly updatedAt: number;
}

/**
 * Vehicles in rows. Rows are only ever added: a vehicle that changes gets a new row, and its old one a mark of when it went
 * out. So every state that has been remains readable, and changes are made in slices while the present state is read.
 */
export class VehicleTable {
  readonly vehicles: Vehicle[] = [];
  /** Per row: since when the vehicle is as it is. */
  readonly times: number[] = [];
  readonly index: GrowingIndex;
  /** How many rows have gone out. */
  gone = 0;
  /** Whether no change is being made. */
  settled = true;
  #state: TableState;
  readonly #fingerprints = new RowFingerprints();
  readonly #names: readonly string[];
  readonly #aliases: Fingerprint;
  /** Per row: the change at which it went out, or 0. */
  readonly #wentOut = new GrowingList();
  /** The rows that the present change has taken out. */
  readonly #goneNow = new Set<number>();
  readonly #rowOf = new Map<string, number>();
  /** Per row that took the place of another: that one. */
  readonly #before = new Map<number, number>();
  readonly #rowsOfBrand = new Map<string, GrowingList>();
  readonly #brands = new Map<string, { readonly brand: Brand; vehicles: number }>();
  readonly #columns = new Map<string, Column>();

  /** A table of vehicles with attributes of these names. */
  constructor(names: readonly string[], aliases: ReadonlyMap<string, string>) {
    this.#names = names;
    this.index = new GrowingIndex(aliases);
    this.#aliases = new Fingerprint().value([...aliases].flat());
    const order = new Uint32Array(0);
    this.#state = { change: 0, rows: 0, order, brands: [], ...this.#versions(), updatedAt: 0 };
  }

  get state(): TableState {
    return this.#state;
  }

  /** The vehicles that are there now, in order. */
  present(): readonly Vehicle[] {
    const present: Vehicle[] = [];
    for (const row of this.#state.order) {
      const vehicle = this.vehicles[row];
      if (vehicle !== undefined) present.push(vehicle);
    }
    return present;
  }

  /** Whether a row is there in a state. */
  has({ change, rows }: TableState, row: number): boolean {
    const wentOut = this.#wentOut.items[row] ?? 0;
    return row < rows && (wentOut === 0 || wentOut > change);
  }

  /** The row of an id in a state, whatever its letter case. */
  rowOf(state: TableState, id: string): number | undefined {
    // Most ids come in small letters as they are.
    let row = this.#rowOf.get(id) ?? this.#rowOf.get(id.toLowerCase());
    while (row !== undefined && !this.has(state, row)) row = this.#before.get(row);
    return row;
  }

  /** Names what is in a row. */
  rowVersion(row: number): string {
    return this.#fingerprints.nameOf(row);
  }

  /** Since when the vehicle of an id has been as it is now, if it is what has this fingerprint. */
  #timeOf(id: string, fingerprint: VehicleFingerprint): number | undefined {
    const row = this.rowOf(this.#state, id);
    return row !== undefined && this.#fingerprints.holds(row, fingerprint) ? this.times[row] : undefined;
  }

  /** What is known of an attribute; it may have to grow. */
  column(attribute: string): Column {
    const known = this.#columns.get(attribute) ?? new Column(attribute);
    this.#columns.set(attribute, known);
    return known;
  }

  /** The rows of a brand, of all states. */
  rowsOfBrand(id: string): Uint32Array {
    const rows = this.#rowsOfBrand.get(id.toLowerCase());
    return rows === undefined ? new Uint32Array(0) : rows.items.subarray(0, rows.length);
  }

  /**
   * Makes changes; the state is a new one when they are through. Resolves to how many vehicles went out. Vehicles that are
   * the same in a former table keep their times.
   */
  *apply({ put, out, at }: Changes, former?: VehicleTable): Sliced<number> {
    const change = this.#state.change + 1;
    this.settled = false;
    if (this.#state.rows > 0) this.index.holdCounts();
    const vehicles = yield* this.#withTheirBrands(put, out);
    this.#goneNow.clear();
    let removed = 0;
    for (const [place, id] of out.entries()) {
      const row = this.rowOf(this.#state, id);
      if (row !== undefined && this.#takeOut(row, change)) removed++;
      if (place % itemsPerStep === 0) yield;
    }
    const addition: Addition = { change, at, former, fingerprints: new VehicleFingerprints(this.#names) };
    const firstRow = this.vehicles.length;
    for (const [place, vehicle] of vehicles.entries()) {
      this.#add(vehicle, addition);
      if (place % itemsPerStep === 0) yield;
    }
    const places = yield* orderedPlaces(this.vehicles.slice(firstRow));
    const added = places.map((place) => firstRow + place);
    const order = yield* this.#reorder(added, this.#goneNow);
    yield* this.#growColumns(former ?? this);
    const before = former?.state ?? this.#state;
    const versions = this.#versions();
    this.#state = {
      change,
      rows: this.vehicles.length,
      order,
      brands: this.#brandList(),
      ...versions,
      updatedAt: versions.version === before.version && before.updatedAt > 0 ? before.updatedAt : at,
    };
    this.index.count();
    this.settled = true;
    return removed;
  }

  /** Vehicles name their brand as it was spelled first; one that renames it brings along all others of the brand that stay. */
  *#withTheirBrands(put: readonly Vehicle[], out: readonly string[]): Sliced<readonly Vehicle[]> {
    // What was read together spells its brands alike.
    if (this.#brands.size === 0) return put;
    const vehicles: Vehicle[] = [];
    const renamed = new Map<string, Brand>();
    for (const vehicle of put) {
      const key = vehicle.manufacturer.id.toLowerCase();
      const known = this.#brands.get(key)?.brand ?? vehicle.manufacturer;
      const manufacturer = { id: known.id, name: vehicle.manufacturer.name };
      if (known.name !== manufacturer.name) renamed.set(key, manufacturer);
      vehicles.push(known.id === vehicle.manufacturer.id ? vehicle : { ...vehicle, manufacturer });
      if (vehicles.length % itemsPerStep === 0) yield;
    }
    if (renamed.size === 0) return vehicles;
    const ids = new Set<string>();
    for (const { id } of put) {
      if (ids.add(id.toLowerCase()).size % itemsPerStep === 0) yield;
    }
    for (const [place, id] of out.entries()) {
      ids.add(id.toLowerCase());
      if (place % itemsPerStep === 0) yield;
    }
    for (const [key, manufacturer] of renamed) {
      for (const row of this.rowsOfBrand(key)) {
        const vehicle = this.vehicles[row];
        yield;
        if (vehicle === undefined || !this.has(this.#state, row) || ids.has(vehicle.id.toLowerCase()))
          continue;
        vehicles.push({ ...vehicle, manufacturer });
      }
    }
    return vehicles;
  }

  /** Adds a row, unless there is the same vehicle already. */
  #add(vehicle: Vehicle, { change, at, former, fingerprints }: Addition): void {
    const row = this.vehicles.length;
    const key = vehicle.id.toLowerCase();
    const before = this.#rowOf.get(key);
    const fingerprint = fingerprints.of(vehicle);
    if (before !== undefined) {
      if (this.#wentOut.items[before] === 0 && this.#fingerprints.holds(before, fingerprint)) return;
      this.#takeOut(before, change);
      this.#before.set(row, before);
    }
    this.vehicles.push(vehicle);
    this.#fingerprints.push(fingerprint);
    const since = former === undefined ? undefined : former.#timeOf(key, fingerprint);
    this.times.push(since ?? at);
    this.#wentOut.push(0);
    this.#rowOf.set(key, row);
    this.#addToBrand(vehicle.manufacturer, row);
    this.index.add(searchedTexts(vehicle));
    this.#fingerprints.count(row, 1);
  }

  #addToBrand({ id, name }: Brand, row: number): void {
    const key = id.toLowerCase();
    const rows = this.#rowsOfBrand.get(key);
    if (rows === undefined) this.#rowsOfBrand.set(key, new GrowingList(row));
    else rows.push(row);
    const known = this.#brands.get(key);
    if (known?.brand.name === name) known.vehicles++;
    else this.#brands.set(key, { brand: { id, name }, vehicles: (known?.vehicles ?? 0) + 1 });
  }

  #takeOut(row: number, change: number): boolean {
    const vehicle = this.vehicles[row];
    if (vehicle === undefined || this.#wentOut.items[row] !== 0) return false;
    this.#wentOut.set(row, change);
    this.#goneNow.add(row);
    this.gone++;
    const brand = this.#brands.get(vehicle.manufacturer.id.toLowerCase());
    if (brand !== undefined) brand.vehicles--;
    this.index.remove(row, searchedTexts(vehicle));
    this.#fingerprints.count(row, -1);
    return true;
  }

  /** The order after a change: these rows, themselves in order, have come, and those have gone. */
  *#reorder(added: readonly number[], gone: ReadonlySet<number>): Sliced<Uint32Array> {
    const { order } = this.#state;
    if (order.length === 0) return Uint32Array.from(added);
    const keys = new Map<number, OrderKey>();
    const keyOfRow = (row: number): OrderKey => {
      const key = keys.get(row) ?? this.#orderKey(row);
      keys.set(row, key);
      return key;
    };
    const compare = (a: number, b: number): number => compareOrderKeys(keyOfRow(a), keyOfRow(b));
    if ((added.length + gone.size) * 20 < order.length) {
      return spliced(order, added, yield* sorted([...gone], compare), compare);
    }
    const kept: number[] = [];
    for (const row of order) {
      if (!gone.has(row)) kept.push(row);
      if (kept.length % 4096 === 0) yield;
    }
    return Uint32Array.from(yield* merge(kept, added, compare));
  }

  /** Has ready what was asked about before the change, so that nobody has to wait for it again. */
  *#growColumns(former: VehicleTable): Sliced<void> {
    for (const [attribute, { isOrdered }] of former.#columns) {
      const column = this.column(attribute);
      yield* column.grow(this.vehicles, this.vehicles.length);
      if (isOrdered) yield* column.order();
    }
  }

  #orderKey(row: number): OrderKey {
    const vehicle = this.vehicles[row];
    if (vehicle === undefined) throw new RangeError(`There is no row ${row}.`);
    return keyOf(vehicle);
  }

  #brandList(): readonly Brand[] {
    const brands: Brand[] = [];
    for (const [key, { brand, vehicles }] of this.#brands) {
      if (vehicles > 0) brands.push(brand);
      else this.#brands.delete(key);
    }
    return brands.sort(compareBrands);
  }

  #versions(): ReturnType<RowFingerprints["versions"]> {
    const present = this.vehicles.length - this.gone;
    return this.#fingerprints.versions([...this.#aliases.halves(), present]);
  }
}

function searchedTexts({ manufacturer, model, variant }: Vehicle): SearchedTexts {
  return { brand: manufacturer.name, model, variant };
}
