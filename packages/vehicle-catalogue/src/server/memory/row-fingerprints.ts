import { digitsOf, Fingerprint } from "../fingerprint.js";
import { GrowingList } from "../search/growing-list.js";
import type { VehicleFingerprint } from "./vehicle-fingerprints.js";

/** What names the vehicles of rows, and all that are there: a sum of them does not depend on the way that led to it. */
export class RowFingerprints {
  readonly #columns = [new GrowingList(), new GrowingList(), new GrowingList(), new GrowingList()] as const;
  /** Per column: the sum over the rows that count. */
  readonly #sums = new Int32Array(4);
  /** Per row: its name, once somebody has asked for it. */
  readonly #names: (string | undefined)[] = [];

  /** Adds a row. */
  push(fingerprint: VehicleFingerprint): void {
    for (let at = 0; at < 4; at++) this.#columns[at]?.push(fingerprint[at] ?? 0);
    this.#names.push(undefined);
  }

  /** Whether a row has a vehicle of this fingerprint. */
  holds(row: number, [low, high]: VehicleFingerprint): boolean {
    return this.#columns[0].items[row] === low && this.#columns[1].items[row] === high;
  }

  /** Has a row count, or count no longer. */
  count(row: number, sign: 1 | -1): void {
    for (let at = 0; at < 4; at++) {
      this.#sums[at] = (this.#sums[at] ?? 0) + sign * (this.#columns[at]?.items[row] ?? 0);
    }
  }

  /** Names what is in a row. */
  nameOf(row: number): string {
    const known = this.#names[row];
    if (known !== undefined) return known;
    const [low, high] = this.#columns;
    const name = digitsOf(low.items[row] ?? 0) + digitsOf(high.items[row] ?? 0);
    this.#names[row] = name;
    return name;
  }

  /** Names all that counts: as a whole, and as far as every key sees it. `others` is what else answers depend on. */
  versions(others: readonly number[]): { readonly version: string; readonly restrictedVersion: string } {
    const [low = 0, high = 0, openLow = 0, openHigh = 0] = this.#sums;
    const name = (sums: readonly number[]): string =>
      new Fingerprint().value([...others, ...sums]).toString();
    return { version: name([low, high]), restrictedVersion: name([openLow, openHigh]) };
  }
}
