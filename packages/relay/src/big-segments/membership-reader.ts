import { createHash } from "node:crypto";
import type { BigSegmentMembership, BigSegments } from "@wye/flag-evaluator";
import type { Clock } from "../clock.js";
import type { Logger } from "../logger.js";
import { messageOf } from "../message-of.js";
import { placeOfStore } from "../stores/place-of-store.js";
import { timedCall } from "../timed-call.js";
import type { BigSegmentStore, Memberships } from "./big-segment-store.js";

/** What the status document says of big segments. */
export interface BigSegmentStatus {
  /** Whether the store answered when it was last asked. */
  readonly available: boolean;
  /** Whether memberships may be older than the threshold. */
  readonly potentiallyStale: boolean;
  /** Unix time in milliseconds; 0 if never or if it cannot be read. */
  readonly lastSynchronizedOn: number;
}

/** What a reader needs to know. */
export interface MembershipReaderContext {
  readonly store: BigSegmentStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether the environment has a segment of that name; a context may be in thousands of others. */
  readonly isKnown: (segmentId: string) => boolean;
  /** Whether the store is known to lack what it had, whatever it says of itself. */
  readonly isBehind: () => boolean;
  /** The store answers again. */
  readonly recovered: () => void;
}

/** What is known of a context. */
interface Kept {
  readonly until: number;
  /** Absent while the store is being asked; `undefined` in it when there was no answer. */
  answer?: { readonly segments: ReadonlyMap<string, boolean> | undefined };
  readonly asked: Promise<void>;
}

const cachedContexts = 1000;
const freshMs = 5000;
/** As in the SDKs: beyond this evaluations say that memberships are stale. */
const staleAfterMs = 120_000;
const limitMs = 1000;
/** So many contexts about which the store fails, and none in between about which it does not, are no matter of a context. */
const fewContexts = 3;

/**
 * Finds who is in which big segments, for evaluations. Answers are kept for five seconds, and equal questions at the same
 * time are one. A store that does not answer within a second is asked again only after the next five: flags are evaluated
 * without it meanwhile. One that answers with an error is only left alone about that context.
 */
export class MembershipReader {
  readonly #context: MembershipReaderContext;
  /** By the names of contexts. */
  readonly #kept = new Map<string, Kept>();
  /** What the store says. Relays whose clocks are wrong say so in it as well. */
  #syncedOn: number | undefined;
  /** What this relay has found. */
  #foundOn = Number.NEGATIVE_INFINITY;
  #statusUntil = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  #available = true;
  /** Contexts about which the store has failed since it last knew of one: the first few. */
  readonly #failing = new Set<string>();
  #revision = 0;
  #awayUntil = Number.NEGATIVE_INFINITY;
  #closed = false;
  /** When a failure was last told of. */
  #toldOn = Number.NEGATIVE_INFINITY;

  constructor(context: MembershipReaderContext) {
    this.#context = context;
  }

  /** The memberships of contexts by their keys, as the evaluator takes them: at once if they are known. Never rejects. */
  read(contextKeys: readonly string[]): BigSegments | Promise<BigSegments> {
    const now = this.#context.clock.monotonic();
    const kept = contextKeys.map((key) => this.#lookUp(key, now));
    const isKnown = now < this.#statusUntil && kept.every((one) => one?.answer !== undefined);
    return isKnown ? this.#answers(contextKeys, kept) : this.#ask(contextKeys);
  }

  /** Asks when the store was last in step, unless that was done a moment ago. */
  refresh(): Promise<void> {
    if (this.#context.clock.monotonic() < this.#statusUntil) return Promise.resolve();
    this.#asking ??= this.#askForTime().finally(() => {
      this.#asking = undefined;
      this.#statusUntil = this.#context.clock.monotonic() + freshMs;
    });
    return this.#asking;
  }

  /** The store was just found to be in step with upstream; `undefined`: it was found elsewhere than where that was. */
  synchronized(timeMs: number | undefined): void {
    this.#foundOn = timeMs ?? Number.NEGATIVE_INFINITY;
    if (timeMs !== undefined) this.#syncedOn = timeMs;
  }

  /** How often memberships have changed. */
  get revision(): number {
    return this.#revision;
  }

  /** Memberships have changed: what was kept is not true any more. */
  clear(): void {
    this.#revision++;
    this.#kept.clear();
  }

  /** Lets go of what is too old to be of use. */
  sweep(): void {
    const now = this.#context.clock.monotonic();
    for (const [name, { until }] of this.#kept) if (until <= now) this.#kept.delete(name);
  }

  /** What fails from now on has been interrupted, and is told to nobody. */
  close(): void {
    this.#closed = true;
  }

  /** Whether the store answers at all, so that it is worth asking about those it has failed about. */
  get isReachable(): boolean {
    return this.#available;
  }

  status(staleThresholdMs: number): BigSegmentStatus {
    const available = this.#available && this.#failing.size < fewContexts;
    const inStep = available ? this.#inStep(staleThresholdMs) : undefined;
    return {
      available,
      potentiallyStale: inStep === undefined,
      lastSynchronizedOn: inStep ?? (available ? (this.#syncedOn ?? 0) : 0),
    };
  }

  /** When memberships were those of upstream, if that is not longer ago: the store says so, or this relay has seen it while the store says something. */
  #inStep(limitMs: number): number | undefined {
    const times = this.#syncedOn === undefined ? [] : [this.#syncedOn, this.#foundOn];
    return times.find((time) => this.#isRecent(time, limitMs));
  }

  /**
   * Whether memberships were those of upstream that long ago at most. A time that is yet to come was told by another clock, or by this one before it was set back: it says nothing.
   */
  #isRecent(timeMs: number, limit: number): boolean {
    const now = this.#context.clock.now();
    return !this.#context.isBehind() && now <= timeMs + limit && timeMs <= now + staleAfterMs;
  }

  #lookUp(key: string, now: number): Kept | undefined {
    const name = nameOf(key);
    const kept = this.#kept.get(name);
    if (kept === undefined) return undefined;
    // The most recently used ones are at the end.
    this.#kept.delete(name);
    if (now >= kept.until) return undefined;
    this.#kept.set(name, kept);
    return kept;
  }

  #answers(contextKeys: readonly string[], kept: readonly (Kept | undefined)[]): BigSegments {
    const status = this.#inStep(staleAfterMs) === undefined ? "STALE" : "HEALTHY";
    return new Map(
      contextKeys.map((key, index): [string, BigSegmentMembership] => {
        const segments = kept[index]?.answer?.segments;
        return [key, segments === undefined ? { status: "STORE_ERROR" } : { status, segments }];
      }),
    );
  }

  async #ask(contextKeys: readonly string[]): Promise<BigSegments> {
    await this.refresh();
    const now = this.#context.clock.monotonic();
    const kept = contextKeys.map((key) => this.#lookUp(key, now) ?? this.#askFor(key, now));
    await Promise.all(kept.map(({ asked }) => asked));
    return this.#answers(contextKeys, kept);
  }

  #askFor(key: string, now: number): Kept {
    const asked: Kept = { until: now + freshMs, asked: Promise.resolve().then(() => this.#fill(key, asked)) };
    this.#kept.set(nameOf(key), asked);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > cachedContexts && oldest !== undefined) this.#kept.delete(oldest);
    return asked;
  }

  async #fill(key: string, kept: Kept): Promise<void> {
    const { store, isKnown, recovered } = this.#context;
    try {
      const found = await this.#within((signal) => store.memberships(hashOf(key), signal));
      kept.answer = { segments: verdicts(readMemberships(found), isKnown) };
      const wasFailing = this.#failing.size >= fewContexts;
      this.#failing.clear();
      if (wasFailing) recovered();
    } catch (error) {
      kept.answer = { segments: undefined };
      // While the store is left alone nobody was asked: that is not worth keeping.
      if (error instanceof LeftAlone) {
        this.#kept.delete(nameOf(key));
        return;
      }
      if (this.#failing.size < fewContexts) this.#failing.add(nameOf(key));
      this.#tell(`the store fails about a context: ${messageOf(error)}`);
      // Whether it fails altogether is another question.
      this.#statusUntil = Number.NEGATIVE_INFINITY;
      await this.refresh();
    }
  }

  async #askForTime(): Promise<void> {
    const { store, recovered } = this.#context;
    const wasAvailable = this.#available;
    try {
      this.#syncedOn = readTime(await this.#within((signal) => store.synchronizedOn(signal)));
      this.#available = true;
      if (!wasAvailable) recovered();
    } catch (error) {
      this.#syncedOn = undefined;
      this.#available = false;
      if (!(error instanceof LeftAlone) && wasAvailable) this.#tell(`the store fails: ${messageOf(error)}`);
    }
  }

  /** Asks the store, unless it kept somebody waiting a moment ago. */
  async #within<Value>(call: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const { clock } = this.#context;
    if (clock.monotonic() < this.#awayUntil) throw new LeftAlone();
    let late: AbortSignal | undefined;
    try {
      return await timedCall(clock, limitMs, (signal) => {
        late = signal;
        return call(signal);
      }).result;
    } finally {
      if (late?.aborted === true) this.#awayUntil = clock.monotonic() + freshMs;
    }
  }

  /** Says what is wrong, but not as often as it is asked about. */
  #tell(message: string): void {
    const { clock, logger, store } = this.#context;
    if (this.#closed || clock.monotonic() < this.#toldOn + freshMs) return;
    this.#toldOn = clock.monotonic();
    logger.error(`big segments: ${placeOfStore(store.about)}${message}`);
  }
}

const hashLength = 44;

/** What an answer is kept under: a key that is shorter than its hash, or the hash. Keys come from strangers, and may have a megabyte. */
function nameOf(key: string): string {
  return key.length < hashLength ? key : hashOf(key);
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("base64");
}

/** The store was not asked. */
class LeftAlone extends Error {
  override readonly name = "LeftAlone";
}

/** A time that a store of the host has given, whatever its types say. */
function readTime(found: unknown): number | undefined {
  if (found === undefined || found === null) return undefined;
  if (typeof found === "number" && Number.isFinite(found)) return found;
  throw new TypeError("synchronizedOn must be Unix milliseconds or undefined");
}

/** Memberships that a store of the host has given. */
function readMemberships(found: Memberships | null | undefined): Memberships {
  if (found !== undefined && found !== null && isList(found.included) && isList(found.excluded)) return found;
  throw new TypeError("memberships must have included and excluded, which are lists of text");
}

function isList(list: unknown): boolean {
  return Array.isArray(list) && list.every((id) => typeof id === "string");
}

function verdicts(
  { included, excluded }: Memberships,
  isKnown: (segmentId: string) => boolean,
): ReadonlyMap<string, boolean> {
  return new Map([
    ...excluded.filter(isKnown).map((id) => [id, false] as const),
    ...included.filter(isKnown).map((id) => [id, true] as const),
  ]);
}
