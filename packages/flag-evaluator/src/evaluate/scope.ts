import { bucketText } from "../compile/bucketing.js";
import type { Program } from "../compile/program.js";
import {
  type Attribute,
  type FlagTarget,
  type Listing,
  NO_KIND,
  type Registry,
  type SegmentTarget,
} from "../compile/registry.js";
import type { Snapshot } from "../compile/snapshot.js";
import { NO, YES } from "../compile/verdict.js";
import { attributeOf, type Context, type ContextPart } from "../read/context.js";
import { type HashSuffix, hash60, hashSuffix } from "../sha1.js";
import type { BigSegmentMembership, BigSegments } from "./big-segments.js";

/** The bucket of a context that lacks the kind which is dealt out. */
export const KIND_MISSING = -1;

/**
 * The most comparisons that are made for one context: some hundredths of a second. No context that is not made for it comes
 * near; clauses beyond it count as malformed.
 */
const MAX_WORK = 10_000_000;

/** Stands for an attribute that was not looked up yet; no JSON value is a symbol. */
const UNREAD = Symbol("unread");

/** In place of a slot: no circle is being closed. */
export const NOTHING_MET = -1;

/** In place of an outcome: no target of the flag lists the context. */
export const NOT_LISTED = -1;

/** The texts among the elements of a list, and how many characters they have together. */
interface Texts {
  readonly texts: readonly string[];
  readonly characters: number;
}

/** One number for each slot. */
type Numbers = Int32Array<ArrayBuffer>;
/** One byte for each slot. */
type Memo = Uint8Array<ArrayBuffer>;

/**
 * One context put against one snapshot. What is found out stays in memos, by slot, until the next context begins. All is
 * used over and over, so that an evaluation allocates nothing for each flag.
 */
export class Scope {
  snapshot: Snapshot;
  context: Context | undefined;
  /** A verdict in the low three bits, above them the status of the big segments asked for it. */
  clauseMemo: Memo = new Uint8Array();
  /** Verdicts of tests, of attributes that are no lists. */
  testMemo: Memo = new Uint8Array();
  /** Those of lists. */
  readonly listVerdicts: Map<number, number> = new Map();
  segmentMemo: Memo = new Uint8Array();
  /** The number of the outcome of each flag that was evaluated. */
  results: Numbers = new Int32Array();
  /** The outcome of the first of each flag's targets that lists the context, or {@link NOT_LISTED}. */
  flagTargets: Numbers = new Int32Array();
  /** What the first of each segment's lists that has the context says; 0 if there is none. */
  segmentListed: Memo = new Uint8Array();
  /** The worst status of the big segments asked since it was set to 0: place in `bigSegmentsStatuses`. */
  status = 0;
  /** The segment, begun and not decided, that a circle has come back to: nothing on the way is decided before it is. */
  met: number = NOTHING_MET;
  /** The same of flags that need each other. */
  metFlag: number = NOTHING_MET;

  /** Whether some part of the context has a secondary key. */
  hasSecondary = false;

  readonly program: Program;
  readonly #registry: Registry;
  #bigSegments: BigSegments | undefined;
  #work = 0;
  readonly #parts: (ContextPart | undefined)[] = [];
  readonly #values: unknown[] = [];
  readonly #texts = new Map<readonly unknown[], Texts>();
  readonly #suffixes: (HashSuffix | undefined)[] = [];
  readonly #secondarySuffixes: (HashSuffix | undefined)[] = [];
  readonly #flagRanks: number[] = [];
  readonly #segmentTargets: SegmentTarget[] = [];

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
    this.#registry = snapshot.registry;
    this.program = snapshot.registry.program;
  }

  /** Begins with a context. The snapshot must have the registry of the one before. */
  begin(snapshot: Snapshot, context: Context, bigSegments: BigSegments | undefined): void {
    const { flags, segments, kinds, attributes, clauses, tests, listings } = this.#registry;
    this.snapshot = snapshot;
    this.context = context;
    this.status = 0;
    this.met = NOTHING_MET;
    this.metFlag = NOTHING_MET;
    this.#bigSegments = bigSegments;
    this.clauseMemo = cleared(this.clauseMemo, clauses.length);
    this.testMemo = cleared(this.testMemo, tests.length);
    this.segmentMemo = cleared(this.segmentMemo, segments.size);
    this.results = filled(this.results, flags.size, -1);
    this.flagTargets = filled(this.flagTargets, flags.size, NOT_LISTED);
    this.segmentListed = cleared(this.segmentListed, segments.size);
    refill(this.#parts, kinds.size, undefined);
    refill(this.#values, attributes.length, UNREAD);
    if (this.#texts.size > 0) this.#texts.clear();
    if (this.listVerdicts.size > 0) this.listVerdicts.clear();
    refill(this.#suffixes, attributes.length, undefined);
    refill(this.#secondarySuffixes, attributes.length, undefined);
    this.#work = MAX_WORK;
    this.hasSecondary = false;
    for (const part of context.parts) {
      const kind = kinds.find(part.kind);
      if (kind === undefined) continue;
      this.#parts[kind] = part;
      if (part.secondary !== undefined) this.hasSecondary = true;
      listings.find(kind, part.key, this.#note);
    }
  }

  /** Forgets what was found out about the present context. */
  beginAgain(): void {
    if (this.context !== undefined) this.begin(this.snapshot, this.context, this.#bigSegments);
  }

  /** Whether there is still time for so many comparisons; takes them off what is left. */
  affords(comparisons: number): boolean {
    if (comparisons > this.#work) return false;
    this.#work -= comparisons;
    return true;
  }

  /** The part of that kind, if the context has one. */
  part(kind: number): ContextPart | undefined {
    return this.#parts[kind];
  }

  /** The texts in a list that is the value of an attribute: many tests may ask about one. */
  textsIn(list: readonly unknown[]): Texts {
    const known = this.#texts.get(list);
    if (known !== undefined) return known;
    const texts = list.filter((element) => typeof element === "string");
    const found = { texts, characters: texts.reduce((sum, text) => sum + text.length, 0) };
    this.#texts.set(list, found);
    return found;
  }

  /** The value of an attribute; undefined if it or its kind is missing. */
  value(attribute: number): unknown {
    const known = this.#values[attribute];
    if (known !== UNREAD) return known;
    const value = this.#read(this.#registry.attributes[attribute]);
    this.#values[attribute] = value;
    return value;
  }

  /** The outcome of the first of a flag's targets that lists the context, or {@link NOT_LISTED}. */
  flagTarget(slot: number): number {
    return this.flagTargets[slot] ?? NOT_LISTED;
  }

  /** The first of a segment's lists that has the context. */
  segmentTarget(slot: number): SegmentTarget | undefined {
    return this.segmentListed[slot] !== 0 ? this.#segmentTargets[slot] : undefined;
  }

  /** The context's hash for the bucketing at that place of the code; 0 if the attribute is missing or of no use. */
  bucket(at: number): number {
    const { code } = this.program;
    const part = this.#parts[code[at] ?? 0];
    if (part === undefined) return KIND_MISSING;
    const attribute = code[at + 1] ?? 0;
    const secondary = code[at + 2] === 1 ? part.secondary : undefined;
    const suffix =
      secondary === undefined
        ? this.suffix(attribute)
        : (this.#secondarySuffixes[attribute] ?? this.#keepSecondarySuffix(attribute, secondary));
    return suffix === undefined ? 0 : hash60(code, at + 3, suffix);
  }

  /** What the value of an attribute adds to the message that is hashed; undefined if it is missing or of no use. */
  suffix(attribute: number): HashSuffix | undefined {
    return this.#suffixes[attribute] ?? this.#keepSuffix(attribute);
  }

  /** What is known of a key's big segments. */
  membership(key: string): BigSegmentMembership {
    if (this.#bigSegments === undefined) return NOT_CONFIGURED;
    return this.#bigSegments.get(key) ?? NOT_FETCHED;
  }

  #read(attribute: Attribute | undefined): unknown {
    if (attribute === undefined) return undefined;
    if (attribute.kind === NO_KIND) return this.context?.parts.map(({ kind }) => kind);
    const part = this.#parts[attribute.kind];
    return part === undefined ? undefined : attributeOf(part, attribute.path);
  }

  #keepSuffix(attribute: number): HashSuffix | undefined {
    const suffix = this.#suffix(attribute, "");
    this.#suffixes[attribute] = suffix;
    return suffix;
  }

  #keepSecondarySuffix(attribute: number, secondary: string): HashSuffix | undefined {
    const suffix = this.#suffix(attribute, `.${secondary}`);
    this.#secondarySuffixes[attribute] = suffix;
    return suffix;
  }

  #suffix(attribute: number, ending: string): HashSuffix | undefined {
    const text = bucketText(this.value(attribute));
    const whole = text === undefined ? undefined : bucketText(text + ending);
    return whole === undefined ? undefined : hashSuffix(whole);
  }

  /** The index also has what versions listed that are gone, and finds in no order. */
  readonly #note = (listing: Listing): void => {
    if (listing.type === "flag") this.#noteFlag(listing);
    else this.#noteSegment(listing);
  };

  #noteFlag(target: FlagTarget): void {
    const { slot, owner, rank, outcome } = target;
    const flag = this.snapshot.flags[slot];
    if (flag === undefined || flag.deleted || flag.head !== owner) return;
    if (this.flagTarget(slot) !== NOT_LISTED && (this.#flagRanks[slot] ?? 0) < rank) return;
    this.flagTargets[slot] = outcome;
    this.#flagRanks[slot] = rank;
  }

  #noteSegment(target: SegmentTarget): void {
    const { slot, owner, rank, included, severalKindsOnly } = target;
    const segment = this.snapshot.segments[slot];
    if (segment === undefined || segment.deleted || segment.owner !== owner) return;
    if (severalKindsOnly && this.context?.kind === "user") return;
    const other = this.segmentTarget(slot);
    if (other !== undefined && other.rank < rank) return;
    this.segmentListed[slot] = included ? YES : NO;
    this.#segmentTargets[slot] = target;
  }
}

const NOT_CONFIGURED: BigSegmentMembership = { status: "NOT_CONFIGURED" };
const NOT_FETCHED: BigSegmentMembership = { status: "STORE_ERROR" };

function cleared(memo: Memo, size: number): Memo {
  // That of an engine whose memory has grown since has nothing in it any more.
  return memo.length === 0 || memo.length < size ? new Uint8Array(size + 64) : memo.fill(0);
}

function filled(numbers: Numbers, size: number, value: number): Numbers {
  return (numbers.length < size ? new Int32Array(size + 64) : numbers).fill(value);
}

function refill<T>(list: T[], size: number, value: T): void {
  for (let i = 0; i < size; i++) list[i] = value;
}
