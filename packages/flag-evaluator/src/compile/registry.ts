import { type AttributePath, parseAttributePath } from "../read/attribute-path.js";
import type { Steps } from "../steps.js";
import type { Clause } from "./clause.js";
import { EqualityIndex } from "./equality-index.js";
import { KeyIndex } from "./key-index.js";
import { OutcomeTexts } from "./outcome-texts.js";
import { Program } from "./program.js";
import { Slots } from "./slots.js";

/** An attribute of one kind that some clause or rollout reads. */
export interface Attribute {
  readonly kind: number;
  readonly path: AttributePath;
}

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
  readonly listings: KeyIndex<Listing> = new KeyIndex();
  /** The weight of all that was ever compiled with it. */
  weight = 0;

  readonly #attributeSlots = new Map<string, number>();
  readonly #equalities: EqualityIndex[] = [];
  readonly #clauseSlots = new Map<string, number>();

  /**
   * The slot of an attribute; undefined if the reference is not valid. Without a kind it is one of the user, and
   * the reference is a plain name.
   */
  attribute(contextKind: string, reference: string): number | undefined {
    // Both may have any character: with the length no two pairs are joined to the same text.
    const key = `${contextKind.length}/${contextKind}${reference}`;
    const known = this.#attributeSlots.get(key);
    if (known !== undefined) return known;
    const path: AttributePath | undefined = contextKind === "" ? [reference] : parseAttributePath(reference);
    if (path === undefined || reference === "") return undefined;
    const slot = this.attributes.length;
    this.attributes.push({ kind: this.kinds.of(contextKind || "user"), path });
    this.#attributeSlots.set(key, slot);
    return slot;
  }

  /** The slot of a clause. Clauses that say the same share one, so that a context is tested once for all of them. */
  *clause(identity: string | undefined, make: (slot: number) => Steps<Clause>): Steps<number> {
    const known = identity === undefined ? undefined : this.#clauseSlots.get(identity);
    if (known !== undefined) return known;
    const slot = this.clauses.length;
    // Others may be made meanwhile.
    this.clauses.push({ type: "malformed" });
    if (identity !== undefined) this.#clauseSlots.set(identity, slot);
    this.clauses[slot] = yield* make(slot);
    return slot;
  }

  /** Where the clauses for equality of an attribute are answered. */
  equalityIndex(attribute: number, negate: boolean): EqualityIndex {
    const place = attribute * 2 + (negate ? 1 : 0);
    const index = this.#equalities[place] ?? new EqualityIndex(negate);
    this.#equalities[place] = index;
    return index;
  }
}
