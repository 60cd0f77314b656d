import type { Clause } from "../compile/clause.js";
import type { CompiledSegment } from "../compile/compiled-segment.js";
import type { Registry } from "../compile/registry.js";
import { NO_FLAG, type SegmentItem, type Snapshot } from "../compile/snapshot.js";
import type { Arena } from "./arena.js";
import type { EngineLists } from "./engine-lists.js";

/** In place of where something begins: there is nothing, or it is asked of the host. */
const NONE = 0;
const OF_HOST = -1;

/** In place of where a share is: all are in, or it cannot be told. */
const ALL = 0;
const INVALID = -1;

/** What is compiled, as an engine reads it: `engine/` says how. What a registry has is copied once, because it only grows. */
export class EngineData {
  readonly #arena: Arena;
  readonly #lists: EngineLists;
  readonly #registry: Registry;
  readonly #segments = new WeakMap<CompiledSegment, number>();
  #clauses = 0;
  #snapshot: Snapshot | undefined;

  constructor(arena: Arena, lists: EngineLists, registry: Registry) {
    this.#arena = arena;
    this.#lists = lists;
    this.#registry = registry;
  }

  /** Brings all up to date for a snapshot. */
  follow(snapshot: Snapshot): void {
    const { program, clauses } = this.#registry;
    const { code, shares, gives } = this.#lists;
    code.follow(program.code, program.length, 4);
    shares.follow(program.shares, program.shares.length, 8);
    gives.follow(program.gives, program.gives.length, 4);
    const at = this.#lists.clauses.reserve(clauses.length * 4) >> 2;
    for (; this.#clauses < clauses.length; this.#clauses++) {
      const parts = this.#clauseParts(clauses[this.#clauses]);
      this.#arena.words[at + this.#clauses] = parts;
    }
    if (snapshot === this.#snapshot) return;
    this.#lists.flags.replace(this.#flagPlaces(snapshot));
    this.#lists.segments.replace(this.#segmentPlaces(snapshot));
    this.#snapshot = snapshot;
  }

  // What is referred to has a slot, whether it is there or not.
  #flagPlaces({ places }: Snapshot): Int32Array {
    const all = new Int32Array(this.#registry.flags.size).fill(NO_FLAG);
    all.set(places);
    return all;
  }

  #segmentPlaces(snapshot: Snapshot): Int32Array {
    const all = new Int32Array(this.#registry.segments.size).fill(NONE);
    for (const [slot, segment] of snapshot.segments.entries())
      all[slot] = this.#segmentPlace(snapshot, segment);
    return all;
  }

  #clauseParts(clause: Clause | undefined): number {
    if (clause?.type === "tests" && clause.tests.length > 0) {
      return this.#write([0, clause.negate ? 1 : 0, clause.tests.length, ...clause.tests]);
    }
    if (clause?.type === "segments") {
      return this.#write([1, clause.negate ? 1 : 0, clause.segments.length, ...clause.segments]);
    }
    return NONE;
  }

  #segmentPlace({ tooDeep }: Snapshot, segment: SegmentItem | undefined): number {
    if (segment === undefined || segment.deleted) return NONE;
    const isPlain =
      segment.big === undefined && segment.problems.length === 0 && !tooDeep.segments.has(segment.slot);
    if (!isPlain) return OF_HOST;
    const place = this.#segments.get(segment) ?? this.#writeSegment(segment);
    this.#segments.set(segment, place);
    return place;
  }

  #writeSegment({ rules }: CompiledSegment): number {
    const words = [rules.length];
    for (const { clauses, share } of rules) {
      words.push(clauses.length, ...clauses);
      if (share === undefined) words.push(ALL);
      else
        words.push(share.bucketing === undefined ? INVALID : this.#writeShare(share.limit, share.bucketing));
    }
    return this.#write(words);
  }

  #writeShare(limit: number, bucketing: number): number {
    const at = this.#arena.allocate(12);
    this.#arena.doubles[at >> 3] = limit;
    this.#arena.words[(at >> 2) + 2] = bucketing;
    return at;
  }

  #write(words: readonly number[]): number {
    const at = this.#arena.allocate(words.length * 4);
    this.#arena.words.set(words, at >> 2);
    return at;
  }
}
