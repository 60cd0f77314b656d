import { compileFlags, type Evaluator } from "@wye/flag-evaluator";
import type { Change, FlagData, Item, ItemKind } from "./flag-data.js";

/** The flags and segments that an environment serves now, compiled, and what was derived from them. */
export class FlagSet implements FlagData {
  #flags = new Map<string, Item>();
  #segments = new Map<string, Item>();
  #evaluator: Evaluator = compileFlags({});
  #complete = false;
  readonly #derived = new Map<(data: FlagData) => unknown, unknown>();

  get flags(): ReadonlyMap<string, Item> {
    return this.#flags;
  }

  get segments(): ReadonlyMap<string, Item> {
    return this.#segments;
  }

  /** One version of all flags: it stays as it is when the flags change, and another takes its place. */
  get evaluator(): Evaluator {
    return this.#evaluator;
  }

  /** Whether a full set has ever arrived. */
  get complete(): boolean {
    return this.#complete;
  }

  /** The item with this key, unless it is deleted. */
  get(kind: ItemKind, key: string): Item | undefined {
    const item = this[kind].get(key);
    return item?.deleted ? undefined : item;
  }

  /** Whether `apply` would change anything: an item must be newer than the one that is there. */
  accepts(change: Change): boolean {
    if (change.kind === "put") return true;
    const known = this[change.itemKind].get(change.item.key);
    return known === undefined || change.item.version > known.version;
  }

  apply(change: Change): void {
    this.#derived.clear();
    if (change.kind === "put") {
      const { flags, segments } = change.data;
      this.#flags = new Map(flags);
      this.#segments = new Map(segments);
      this.#evaluator = this.#evaluator.replace({ flags: texts(flags), segments: texts(segments) });
      this.#complete = true;
      return;
    }
    const { itemKind, item } = change;
    (itemKind === "flags" ? this.#flags : this.#segments).set(item.key, item);
    this.#evaluator = item.deleted
      ? this.#evaluator.delete(itemKind, item.key, item.version)
      : this.#evaluator.upsert(itemKind, item.key, item.json);
  }

  /** Gives what `build`, always the same function, makes of the present flags; keeps it until they change. */
  derive<Value>(build: (data: FlagData) => Value): Value {
    // What is kept under a function was made by it.
    const known = this.#derived.get(build) as Value | undefined;
    if (known !== undefined) return known;
    const built = build(this);
    this.#derived.set(build, built);
    return built;
  }
}

function texts(items: ReadonlyMap<string, Item>): Record<string, string> {
  // Defines members, so that a key such as __proto__ is one.
  return Object.fromEntries([...items].map(([key, { json }]) => [key, json]));
}
