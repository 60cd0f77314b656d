import type { Item } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import { placeOf } from "./compare-contents.js";

/** What is to be done next with a store. */
export type Task =
  | { readonly kind: "read" }
  /** The store is asked whether it still has what was written; `isDoubted` if it was away since it said so. */
  | { readonly kind: "probe"; readonly isDoubted: boolean }
  /** Everything is written; `isAgain` if it could not be. */
  | { readonly kind: "replace"; readonly isAgain: boolean }
  /** Everything is written after what is newer in the store was taken over: something was taken away. */
  | { readonly kind: "restore" }
  /** What is newer in the store is taken over, and what it lacks is written: nobody knows what it has. */
  | { readonly kind: "mend" }
  | { readonly kind: "upsert"; readonly items: readonly Item[] }
  /** What is kept is marked with the keys that open it now. */
  | { readonly kind: "keys" };

/** Collects what is to be done while something else is under way: of several versions of an item only the last is left. */
export class PendingWork {
  #all: "replace" | "replace again" | "restore" | "mend" | undefined;
  #read = false;
  #probe = false;
  /** Whether the store may have become another one since it was last asked. */
  #isDoubted = false;
  #keys = false;
  readonly #items = new Map<string, Item>();

  /** A change is to be written. */
  add({ extent, items }: Change): void {
    if (extent === "full") this.addAll();
    else for (const item of items) this.#items.set(placeOf(item), item);
  }

  /** Everything is to be written. */
  addAll(): void {
    this.#all = "replace";
  }

  /** Everything is to be written, but nothing that is newer in the store is to be lost. */
  addRestore(): void {
    if (this.#all === undefined || this.#all === "mend") this.#all = "restore";
  }

  /** What the store lacks is to be written. */
  addMend(): void {
    this.#all ??= "mend";
  }

  /** The contents are to be read. */
  addRead(): void {
    this.#read = true;
  }

  /** The store is to be asked whether it still has everything. Reading and writing everything show that as well. */
  addProbe(): void {
    this.#probe = true;
  }

  /** The keys that open what is kept are to be written. */
  addKeys(): void {
    this.#keys = true;
  }

  /** Whether there is nothing to be done. */
  get isEmpty(): boolean {
    const isAsked = this.#read || this.#probe || this.#isDoubted;
    return this.#all === undefined && !isAsked && !this.#keys && this.#items.size === 0;
  }

  /**
   * A task that was taken has failed: it is to be done again, once the store was asked whether it is there and what it has by now. A full
   * set that was to be written still is.
   */
  addFailed(task: Task): void {
    this.#isDoubted = true;
    if (task.kind === "read") this.#read = true;
    if (task.kind === "replace") this.#all = this.#all === "replace" ? "replace" : "replace again";
    if (task.kind === "keys") this.#keys = true;
    if (task.kind !== "upsert") return;
    for (const item of task.items) {
      const name = placeOf(item);
      // What came since is newer.
      this.#items.set(name, this.#items.get(name) ?? item);
    }
  }

  /**
   * Takes out the next task, or the next one that writes. Whatever writes everything also writes the items that wait, and questions
   * come before items: of those there may always be more. A doubt comes before all that costs more than to ask, but for what upstream has
   * just delivered.
   */
  take({ onlyWrites = false }: { readonly onlyWrites?: boolean } = {}): Task | undefined {
    const all = this.#all;
    if (this.#isDoubted && !onlyWrites && all !== "replace") {
      this.#isDoubted = false;
      this.#probe = false;
      return { kind: "probe", isDoubted: true };
    }
    if (all !== undefined) {
      this.#all = undefined;
      this.#read = false;
      this.#probe = false;
      this.#isDoubted = false;
      this.#items.clear();
      if (all === "mend" || all === "restore") return { kind: all };
      return { kind: "replace", isAgain: all === "replace again" };
    }
    if (!onlyWrites && (this.#read || this.#probe)) {
      const task: Task = this.#read ? { kind: "read" } : { kind: "probe", isDoubted: false };
      this.#read = false;
      this.#probe = false;
      return task;
    }
    if (this.#keys) {
      this.#keys = false;
      return { kind: "keys" };
    }
    if (this.#items.size === 0) return undefined;
    const items = [...this.#items.values()];
    this.#items.clear();
    return { kind: "upsert", items };
  }
}
