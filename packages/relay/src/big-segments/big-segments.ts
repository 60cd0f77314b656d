import type { BigSegments as Answers, Context, Evaluator, Item } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import { messageOf } from "../message-of.js";
import { jsonMembers } from "../sources/json-members.js";
import { placeOfStore } from "../stores/place-of-store.js";
import type { BigSegmentStore } from "./big-segment-store.js";
import { type BigSegmentStatus, MembershipReader } from "./membership-reader.js";
import { BigSegmentSynchronizer, type SynchronizerContext } from "./synchronizer.js";

/** What the big segments of an environment need to know. */
export interface BigSegmentsContext extends Omit<SynchronizerContext, "store" | "changed" | "synchronized"> {
  /** Memberships have changed: whoever depends on them is to be told. */
  readonly changed: () => void;
  /** The store can be asked again about those who were not answered, or not since the last change. */
  readonly makeUp: () => void;
  /** Calls `run` after a time unless the environment is closed before. */
  readonly later: (ms: number, run: () => void) => () => void;
}

const statusEveryMs = 5000;

/**
 * The big segments of an environment: nothing happens before there is one. From then on they are kept in step with upstream
 * and asked for where an evaluation depends on them.
 */
export class BigSegments {
  readonly #store: BigSegmentStore;
  readonly #context: BigSegmentsContext;
  readonly #reader: MembershipReader;
  readonly #synchronizer: BigSegmentSynchronizer;
  /** How memberships name the big segments that there are, by key. */
  readonly #names = new Map<string, string>();
  #known: ReadonlySet<string> = new Set();
  #active = false;

  constructor(store: BigSegmentStore, context: BigSegmentsContext) {
    this.#store = store;
    this.#context = context;
    const changed = () => this.#changed();
    const isKnown = (segmentId: string) => this.#known.has(segmentId);
    this.#reader = new MembershipReader({
      ...context,
      store,
      isKnown,
      isBehind: () => this.#synchronizer.isBehind,
      recovered: () => {
        changed();
        // It may not be the one that it was.
        this.#synchronizer.wake();
      },
    });
    this.#synchronizer = new BigSegmentSynchronizer({
      ...context,
      store,
      synchronized: (timeMs) => this.#reader.synchronized(timeMs),
      changed,
    });
  }

  /** Looks at what is served from now on: the first big segment among it starts everything. */
  look({ extent, items }: Change, current: (segmentKey: string) => Item | undefined): void {
    const keys = items.flatMap(({ kind, key }) => (kind === "segments" ? [key] : []));
    if (extent === "full") this.#names.clear();
    else if (keys.length === 0) return;
    for (const key of keys) {
      const name = bigSegmentName(current(key));
      if (name === undefined) this.#names.delete(key);
      else this.#names.set(key, name);
    }
    const known = new Set(this.#names.values());
    const isNew = [...known].some((name) => !this.#known.has(name));
    this.#known = known;
    // What is known of contexts says nothing of segments that were not there.
    if (isNew) this.#changed();
    if (this.#active || this.#names.size === 0) return;
    this.#active = true;
    this.#context.logger.info("there is a big segment: following memberships");
    this.#synchronizer.start();
    this.#followStatus();
  }

  /** How often what was known of contexts has become doubtful. */
  get revision(): number {
    return this.#reader.revision;
  }

  /** The context keys that an evaluation has to know about and does not yet. */
  missing(evaluator: Evaluator, context: Context, known?: Answers): readonly string[] {
    if (!this.#active) return [];
    const keys = evaluator.bigSegmentsFor(context).map(({ contextKey }) => contextKey);
    return known === undefined ? keys : keys.filter((key) => !known.has(key));
  }

  /** What is known of contexts by their keys. Never rejects. */
  read(contextKeys: readonly string[]): Answers | Promise<Answers> {
    return this.#reader.read(contextKeys);
  }

  /** `undefined` as long as there has been no big segment. */
  status(staleThresholdMs: number): BigSegmentStatus | undefined {
    return this.#active ? this.#reader.status(staleThresholdMs) : undefined;
  }

  /** Stops; waits for the store no longer than for the deadline. */
  async close(deadline: Promise<void>): Promise<void> {
    this.#reader.close();
    await Promise.race([this.#synchronizer.close(), deadline]);
    try {
      await Promise.race([this.#store.close(), deadline]);
    } catch (error) {
      const place = placeOfStore(this.#store.about);
      this.#context.logger.warn(`big segments: ${place}closing the store failed: ${messageOf(error)}`);
    }
  }

  #changed(): void {
    this.#reader.clear();
    this.#context.changed();
  }

  #followStatus(): void {
    this.#reader.sweep();
    void this.#reader.refresh().then(() => {
      if (this.#reader.isReachable) this.#context.makeUp();
    });
    this.#context.later(statusEveryMs, () => this.#followStatus());
  }
}

/** `undefined` for any other item. */
function bigSegmentName(item: Item | undefined): string | undefined {
  // Looking for the word is cheap; most segments do not have it.
  if (item === undefined || item.deleted || !item.json.includes('"unbounded"')) return undefined;
  // It may list very many keys, which nobody has to read for that.
  const members = jsonMembers(item.json);
  const memberOf = (name: string): unknown => {
    const span = members.get(name);
    return span && JSON.parse(item.json.slice(span.start, span.end));
  };
  return memberOf("unbounded") === true ? `${item.key}.g${memberOf("generation")}` : undefined;
}
