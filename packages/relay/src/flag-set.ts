import { compileFlags, type Evaluator, type Item, type ItemKind, type Steps } from "@wye/flag-evaluator";
import type { Change, Selector } from "./change.js";
import { malformedData } from "./error.js";
import { messageOf } from "./message-of.js";
import { atOnce } from "./steps.js";

/** The flags and segments that an environment serves now, and what was derived from them. */
export class FlagSet {
  #evaluator: Evaluator = compileFlags({});
  #complete = false;
  readonly #derived = new Map<(flags: Evaluator) => unknown, unknown>();

  /** One version of all flags: it stays as it is when the flags change, and another takes its place. */
  get evaluator(): Evaluator {
    return this.#evaluator;
  }

  /** Whether a full set has ever arrived. */
  get complete(): boolean {
    return this.#complete;
  }

  /** All items that can be read, deleted ones too. */
  get items(): readonly Item[] {
    return [...this.#evaluator.items("flags"), ...this.#evaluator.items("segments")].filter(
      ({ fault }) => fault === undefined,
    );
  }

  /** The item with this key, unless it is deleted or cannot be read. */
  get(kind: ItemKind, key: string): Item | undefined {
    const item = this.#evaluator.item(kind, key);
    return item?.deleted || item?.fault !== undefined ? undefined : item;
  }

  /**
   * Takes a change; tells whether any flag or segment is another one now. Throws a `RelayError` when the change cannot be
   * used: sources and stores of hosts give what they like.
   */
  apply(change: Change): boolean {
    return atOnce(this.applyInSteps(change));
  }

  /** The same bit by bit: what is served changes with the last step. Of two changes one must be through before the other. */
  *applyInSteps(change: Change): Steps<boolean> {
    const next = yield* this.#changed(change);
    const completes = change.extent === "full" && !this.#complete;
    if (completes) this.#complete = true;
    if (next === this.#evaluator) return completes;
    this.#evaluator = next;
    this.#derived.clear();
    return true;
  }

  *#changed(change: Change): Steps<Evaluator> {
    const problem = problemOf(change);
    if (problem !== undefined) throw malformedData(problem);
    try {
      return yield* this.#evaluator.applyInSteps(change);
    } catch (cause) {
      throw malformedData(messageOf(cause), cause);
    }
  }

  /** Gives what `build`, always the same function, makes of the present flags; keeps it until they change. */
  derive<Value>(build: (flags: Evaluator) => Value): Value {
    // What is kept under a function was made by it.
    const known = this.#derived.get(build) as Value | undefined;
    if (known !== undefined) return known;
    const built = build(this.#evaluator);
    this.#derived.set(build, built);
    return built;
  }
}

function problemOf(change: unknown): string | undefined {
  if (typeof change !== "object" || change === null) return "a change must be an object";
  const { extent, items, selector }: Partial<Record<keyof Change, unknown>> = change;
  if (extent !== "full" && extent !== "partial") return 'the extent of a change must be "full" or "partial"';
  if (!Array.isArray(items)) return "the items of a change must be a list";
  return selector === undefined || isSelector(selector)
    ? undefined
    : "the selector of a change must have a state and a version";
}

function isSelector(value: unknown): value is Selector {
  if (typeof value !== "object" || value === null) return false;
  const { state, version }: Partial<Record<keyof Selector, unknown>> = value;
  return typeof state === "string" && typeof version === "number";
}
