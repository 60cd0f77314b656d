import { type AttributePath, parseAttributePath } from "../read/attribute-path.js";
import type { Steps } from "../steps.js";
import type { Clause } from "./clause.js";
import type { ClauseIndex } from "./clause-index.js";
import { KeyIndex } from "./key-index.js";
import type { Comparison, TextTest } from "./operators.js";
import { OutcomeTexts } from "./outcome-texts.js";
import { Program } from "./program.js";
import { Slots } from "./slots.js";

/** An attribute of one kind that some clause or rollout reads. */
export interface Attribute {
  /** {@link NO_KIND} for the list of all kinds that a context has. */
  readonly kind: number;
  readonly path: AttributePath;
}

/** In place of a kind. */
export const NO_KIND = -1;

/** That a flag or a segment lists a key. */
export type Listing = FlagTarget | SegmentTarget;

/** A flag lists the key: what it gives then, unless an earlier target of the flag lists the context as well. */
export interface FlagTarget {
  readonly type: "flag";
  readonly slot: number;
  /** The head of the version of the flag that lists it. */
  readonly owner: object;
  readonly rank: number;
  readonly outcome: number;
}

/** A segment lists the key. */
export interface SegmentTarget {
  readonly type: "segment";
  readonly slot: number;
  /** Of the version of the segment that lists it. */
  readonly owner: object;
  readonly rank: number;
  readonly included: boolean;
  /** Not looked at for contexts that are a user and nothing else. */
  readonly severalKindsOnly: boolean;
}

/**
 * The names and the parts that compiled flags and segments share. It only grows, so that every snapshot of the data that
 * was made with it stays valid; when too much of it is no longer used, the next snapshot starts a new one.
 */
export class Registry {
  readonly flags: Slots = new Slots();
  readonly segments: Slots = new Slots();
  readonly kinds: Slots = new Slots();
  readonly program: Program = new Program();
  readonly texts: OutcomeTexts = new OutcomeTexts();
  readonly attributes: Attribute[] = [];
  readonly clauses: Clause[] = [];
  readonly tests: TextTest[] = [];
  readonly listings: KeyIndex<Listing> = new KeyIndex();
  /** The weight of all that was ever compiled with it. */
  weight = 0;

  /** By how they are referred to. */
  readonly #attributeSlots = new Map<string, number>();
  /** By kind and path. */
  readonly #places = new Map<string, number>();
  /** By the slot of the attribute. */
  readonly #indexes: Map<Comparison, ClauseIndex>[] = [];
  readonly #testSlots = new Map<string, Map<string, number>>();
  readonly #clauseSlots = new Map<string, number>();

  /**
   * The slot of an attribute; undefined if the reference is not valid. Without a kind it is one of the user, and
   * the reference is a plain name. What is the same attribute has the same slot, however it is referred to.
   */
  attribute(contextKind: string, reference: string): number | undefined {
    // Both may have any character: with the length no two pairs are joined to the same text.
    const key = `${contextKind.length}/${contextKind}${reference}`;
    const known = this.#attributeSlots.get(key);
    if (known !== undefined) return known;
    const path: AttributePath | undefined = contextKind === "" ? [reference] : parseAttributePath(reference);
    if (path === undefined || reference === "") return undefined;
    const kind = this.kinds.of(contextKind || "user");
    const place = JSON.stringify([kind, ...path]);
    const slot = this.#places.get(place) ?? this.attributes.push({ kind, path }) - 1;
    this.#places.set(place, slot);
    this.#attributeSlots.set(key, slot);
    return slot;
  }

  /** The slot of a clause that says the same, if there is one: then a context is tested once for all of them. */
  sameClause(identity: string | undefined): number | undefined {
    return identity === undefined ? undefined : this.#clauseSlots.get(identity);
  }

  /** The slot of a new clause. */
  *addClause(identity: string | undefined, make: (slot: number) => Steps<Clause>): Steps<number> {
    const slot = this.clauses.length;
    // Others may be made meanwhile.
    this.clauses.push({ type: "malformed" });
    if (identity !== undefined) this.#clauseSlots.set(identity, slot);
    this.clauses[slot] = yield* make(slot);
    return slot;
  }

  /** The slot under which the kinds of a context are found like the elements of an attribute. */
  attributeOfKinds(): number {
    const known = this.#attributeSlots.get("");
    if (known !== undefined) return known;
    const slot = this.attributes.push({ kind: NO_KIND, path: ["kind"] }) - 1;
    this.#attributeSlots.set("", slot);
    return slot;
  }

  /** Where clauses that compare an attribute in the same way are answered. */
  index(attribute: number, comparison: Comparison): ClauseIndex {
    const indexes = this.#indexes[attribute] ?? new Map<Comparison, ClauseIndex>();
    this.#indexes[attribute] = indexes;
    const index = indexes.get(comparison) ?? comparison.createIndex();
    indexes.set(comparison, index);
    return index;
  }

  /** The slot of a test of an attribute for one value. */
  test(attribute: number, op: string, value: string, create: (value: string) => TextTest): number {
    const key = `${attribute}/${op}`;
    const slots = this.#testSlots.get(key) ?? new Map<string, number>();
    this.#testSlots.set(key, slots);
    const slot = slots.get(value) ?? this.tests.push(create(value)) - 1;
    slots.set(value, slot);
    return slot;
  }
}
