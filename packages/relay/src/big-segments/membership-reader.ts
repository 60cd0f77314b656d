import { createHash } from "node:crypto";
import type { BigSegmentMembership, BigSegments } from "@wye/flag-evaluator";
import type { Clock } from "../clock.js";
import type { Logger } from "../logger.js";
import { messageOf } from "../message-of.js";
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
  /** The store answers again. */
  readonly recovered: () => void;
}

interface Kept {
  readonly until: number;
  readonly memberships: Promise<Memberships | undefined>;
}

const cachedContexts = 1000;
const freshMs = 5000;
/** As in the SDKs: beyond this evaluations say that memberships are stale. */
const staleAfterMs = 120_000;
const limitMs = 1000;

/**
 * Finds who is in which big segments, for evaluations. Answers are kept for five seconds, and equal questions at the same
 * time are one. A store that does not answer within a second is asked again only after the next five: flags are evaluated
 * without it meanwhile.
 */
export class MembershipReader {
  readonly #context: MembershipReaderContext;
  readonly #kept = new Map<string, Kept>();
  #syncedOn: number | undefined;
  #statusUntil = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  #available = true;
  #awayUntil = Number.NEGATIVE_INFINITY;

  constructor(context: MembershipReaderContext) {
    this.#context = context;
  }

  /** The memberships of contexts by their keys, as the evaluator takes them. Never rejects. */
  async read(contextKeys: readonly string[]): Promise<BigSegments> {
    await this.refresh();
    const { clock } = this.#context;
    const healthy = this.#syncedOn !== undefined && clock.now() - this.#syncedOn <= staleAfterMs;
    const found = contextKeys.map(async (key): Promise<[string, BigSegmentMembership]> => {
      const memberships = await this.#membershipsOf(key);
      if (memberships === undefined) return [key, { status: "STORE_ERROR" }];
      return [key, { status: healthy ? "HEALTHY" : "STALE", segments: verdicts(memberships) }];
    });
    return new Map(await Promise.all(found));
  }

  /** Asks when the store was last in step, unless that was done a moment ago. */
  refresh(): Promise<void> {
    if (this.#context.clock.monotonic() < this.#statusUntil) return Promise.resolve();
    this.#asking ??= this.#ask(async (store, signal) => readTime(await store.synchronizedOn(signal))).then(
      (answer) => {
        this.#asking = undefined;
        this.#syncedOn = answer?.value;
        this.#statusUntil = this.#context.clock.monotonic() + freshMs;
      },
    );
    return this.#asking;
  }

  /** The store was just found to be in step with upstream. */
  synchronized(timeMs: number): void {
    this.#syncedOn = timeMs;
  }

  /** Memberships have changed: what was kept is not true any more. */
  clear(): void {
    this.#kept.clear();
  }

  status(staleThresholdMs: number): BigSegmentStatus {
    const lastSynchronizedOn = this.#available ? (this.#syncedOn ?? 0) : 0;
    return {
      available: this.#available,
      potentiallyStale: this.#context.clock.now() > lastSynchronizedOn + staleThresholdMs,
      lastSynchronizedOn,
    };
  }

  #membershipsOf(key: string): Promise<Memberships | undefined> {
    const now = this.#context.clock.monotonic();
    const kept = this.#kept.get(key);
    // The most recently used ones are at the end.
    this.#kept.delete(key);
    if (kept !== undefined && now < kept.until) {
      this.#kept.set(key, kept);
      return kept.memberships;
    }
    const hash = createHash("sha256").update(key).digest("base64");
    const memberships = this.#ask(async (store, signal) =>
      readMemberships(await store.memberships(hash, signal)),
    ).then((answer) => {
      // A failure is not worth keeping: the pause of the store is enough.
      if (answer === undefined && this.#kept.get(key) === asked) this.#kept.delete(key);
      return answer?.value;
    });
    const asked: Kept = { until: now + freshMs, memberships };
    this.#kept.set(key, asked);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > cachedContexts && oldest !== undefined) this.#kept.delete(oldest);
    return memberships;
  }

  /** Asks the store, unless it did not answer a moment ago. `undefined` when there is no answer. */
  async #ask<Value>(
    call: (store: BigSegmentStore, signal: AbortSignal) => Promise<Value>,
  ): Promise<{ readonly value: Value } | undefined> {
    const { store, clock, logger, recovered } = this.#context;
    if (clock.monotonic() < this.#awayUntil) return undefined;
    try {
      const value = await timedCall(clock, limitMs, (signal) => call(store, signal)).result;
      const away = !this.#available;
      this.#available = true;
      if (away) recovered();
      return { value };
    } catch (error) {
      if (this.#available) logger.error(`big segments: the store fails: ${messageOf(error)}`);
      this.#available = false;
      this.#awayUntil = clock.monotonic() + freshMs;
      return undefined;
    }
  }
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

function verdicts({ included, excluded }: Memberships): ReadonlyMap<string, boolean> {
  return new Map([
    ...excluded.map((id) => [id, false] as const),
    ...included.map((id) => [id, true] as const),
  ]);
}
