import type { Clock } from "../clock.js";
import { RelayError } from "../error.js";
import { pause } from "../events/pause.js";
import type { Logger } from "../logger.js";
import { messageOf } from "../message-of.js";
import type { ResolvedUpstream } from "../options/resolved-sections.js";
import { eventStream } from "../sources/event-stream.js";
import { readLimited } from "../sources/read-limited.js";
import { placeOfStore } from "../stores/place-of-store.js";
import { timedCall } from "../timed-call.js";
import { askUpstream } from "../upstream/ask-upstream.js";
import type { BigSegmentPatch, BigSegmentStore } from "./big-segment-store.js";
import { readPatches } from "./read-patches.js";
import { StorePosition } from "./store-position.js";

/** What a synchroniser needs to know of its environment. */
export interface SynchronizerContext {
  readonly store: BigSegmentStore;
  readonly upstream: ResolvedUpstream;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** The key to ask with at the moment. */
  readonly sdkKey: () => string;
  /** How long ago the store may have been found in step. */
  readonly staleThresholdMs: number;
  /** Memberships have changed. */
  readonly changed: () => void;
  /** The store was just found to be in step with upstream; `undefined`: it was found elsewhere than it was left. */
  readonly synchronized: (timeMs: number | undefined) => void;
}

const retryMs = 10_000;
const longestIdleMs = 30_000;
const shortestIdleMs = 1000;
const storeLimitMs = 30_000;
/** How often it is looked whether the store still stands where it was left. */
const longestLookMs = 5000;
const maxSteps = 1000;
const wrongPlace =
  "if that goes on, they are those of another environment: empty that place, or choose another one";
/** A store that takes less than a hundred contexts in a second will not keep up with anything. */
const contextLimitMs = 10;

/**
 * Keeps a store in step with upstream: asks for the steps that are missing until there are none, then follows the stream.
 * A step that does not begin where the store stands is no reason to stop: upstream is asked again what is missing. After
 * a failure everything begins anew with a pause.
 */
export class BigSegmentSynchronizer {
  readonly #context: SynchronizerContext;
  readonly #abort = new AbortController();
  readonly #position = new StorePosition();
  /** When the store was last told that it is in step. */
  #toldOn = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #endPause = () => {};

  constructor(context: SynchronizerContext) {
    this.#context = context;
  }

  /** Begins, if it has not begun. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** The store answers again: whatever waits for that need not wait any longer. */
  wake(): void {
    this.#endPause();
  }

  /** Whether the store is known to lack what it had. */
  get isBehind(): boolean {
    return this.#position.isBehind;
  }

  /** Stops; what was under way ends without an effect. */
  async close(): Promise<void> {
    this.#abort.abort(new Error("closed"));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, logger, random } = this.#context;
    while (!this.#abort.signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        if (this.#abort.signal.aborted) return;
        logger.warn(`big segments: ${messageOf(error)}; trying again`);
      }
      const woken = new AbortController();
      this.#endPause = () => woken.abort();
      await pause(clock, retryMs * (1 - random() / 10), AbortSignal.any([this.#abort.signal, woken.signal]));
    }
  }

  async #follow(): Promise<void> {
    const { clock, upstream, sdkKey } = this.#context;
    const connection = new AbortController();
    const signal = AbortSignal.any([this.#abort.signal, connection.signal]);
    let cancelIdle = () => {};
    let looking = Promise.resolve();
    const idle = () => {
      if (signal.aborted) return;
      cancelIdle = clock.schedule(this.#lookMs(), () => {
        looking = this.#confirm().then(idle, (error: unknown) => connection.abort(error));
      });
    };
    try {
      await this.#catchUp();
      const url = `${upstream.stream}/big-segments`;
      // What has changed between the question and the stream is asked for once the stream is open.
      const onOpen = async () => {
        await this.#catchUp();
        await this.#markSynchronized();
        idle();
      };
      for await (const { data } of eventStream({ url, sdkKey: sdkKey(), upstream, clock, signal, onOpen })) {
        // What was asked before a step says nothing after it.
        await looking;
        cancelIdle();
        await this.#hear(readPatches(data));
        await this.#markSynchronized();
        idle();
      }
    } finally {
      cancelIdle();
      connection.abort();
      await looking;
    }
  }

  /** A store that is in step is said to be so twice before that counts as long ago. */
  #idleMs(): number {
    return Math.max(shortestIdleMs, Math.min(longestIdleMs, this.#context.staleThresholdMs / 2));
  }

  /** So that it can be said when it is due. */
  #lookMs(): number {
    const idleMs = this.#idleMs();
    return idleMs / Math.ceil(idleMs / longestLookMs);
  }

  /**
   * Looks whether the store stands where it was left: it may have been emptied since, brought back to what it was, or moved on by others.
   * Says now and then that it is in step.
   */
  async #confirm(): Promise<void> {
    const left = this.#position.version;
    const isLeft = (await this.#cursor()) === left;
    if (isLeft && this.#context.clock.monotonic() - this.#toldOn < this.#idleMs()) return;
    if (!isLeft) await this.#catchUp();
    await this.#markSynchronized();
  }

  /** Asks for what is missing until nothing is. */
  async #catchUp(): Promise<void> {
    for (;;) {
      const before = await this.#cursor();
      const patches = await this.#revisionsAfter(before);
      if (patches.length === 0) {
        const { lacking } = this.#position;
        if (lacking !== undefined && !(await this.#isDone(lacking)))
          throw nothingLeadsTo(lacking, wrongPlace);
        this.#position.noteInStep();
        return;
      }
      this.#warnOf(await this.#apply(patches));
      const after = await this.#cursor();
      if (after === before) {
        throw new RelayError(
          "malformed_data",
          `none of ${patches.length} patches begins at ${before ?? "nothing"}, where the memberships in the store stand (${wrongPlace})`,
        );
      }
    }
  }

  /**
   * Takes the steps of an event. Those that others have left behind are done. Those before them that were missed are asked for, and may not be
   * had yet: then it is known that the store is not in step.
   */
  async #hear(patches: readonly BigSegmentPatch[]): Promise<void> {
    const misfit = await this.#apply(patches);
    const { version } = patches.at(-1) ?? {};
    if (misfit === undefined || version === undefined || (await this.#isDone(version))) return;
    this.#warnOf(misfit);
    const before = this.#position.version;
    await this.#catchUp();
    if (this.#position.hasPassed(version)) return;
    if (this.#position.version !== before) {
      const left = await this.#apply(patches);
      if (left === undefined) return;
      this.#warnOf(left);
    }
    this.#lack(version);
    throw nothingLeadsTo(version);
  }

  /** From now on it is known that a step was not taken: what is kept of contexts may be wrong. */
  #lack(version: string): void {
    const { isBehind } = this.#position;
    this.#position.noteLacking(version);
    if (isBehind) return;
    this.#context.synchronized(undefined);
    this.#context.changed();
  }

  /** Whether steps lead from a version to where the store stands: another relay with the same store was faster by more than one. */
  async #isDone(version: string): Promise<boolean> {
    if (this.#position.hasPassed(version)) return true;
    const passed = [version];
    for (let after = version; ; after = passed.at(-1) ?? version) {
      const patches = await this.#revisionsAfter(after);
      // What upstream gives after a version that it does not know tells nothing.
      if (patches[0]?.previousVersion !== after || passed.length > maxSteps) return false;
      for (const patch of patches) {
        passed.push(patch.version);
        if (patch.version !== this.#position.version) continue;
        this.#position.notePassed(passed);
        return true;
      }
    }
  }

  #warnOf(misfit: BigSegmentPatch | undefined): void {
    if (misfit === undefined) return;
    const begins = JSON.stringify(misfit.previousVersion);
    this.#context.logger.warn(
      `big segments: a patch begins at ${begins}, not at the latest version; skipping`,
    );
  }

  /** Applies patches up to the first that does not fit, and gives that one. */
  async #apply(patches: readonly BigSegmentPatch[]): Promise<BigSegmentPatch | undefined> {
    const { changed } = this.#context;
    let left = patches;
    try {
      for (;;) {
        const [patch] = left;
        if (patch === undefined) return undefined;
        const taken = await this.#take(patch);
        // Another relay with the same store may have been faster.
        const last = taken ? 0 : await this.#placeOf(left);
        if (last < 0) return patch;
        left = left.slice(last + 1);
      }
    } finally {
      if (left.length < patches.length) changed();
    }
  }

  async #take(patch: BigSegmentPatch): Promise<boolean> {
    const limitMs = this.#context.store.timeoutMs ?? storeLimitMs + contextLimitMs * sizeOf(patch);
    const taken = await this.#ask((store, signal) => store.apply(patch, signal), limitMs).catch((error) => {
      if (!this.#abort.signal.aborted) this.#lack(patch.version);
      throw error;
    });
    if (taken) this.#position.move(patch.version);
    return taken;
  }

  /** Which of some patches has brought the store to where it stands: -1 if none. */
  async #placeOf(patches: readonly BigSegmentPatch[]): Promise<number> {
    const cursor = await this.#cursor(patches);
    return patches.findIndex(({ version }) => version === cursor);
  }

  /** Where the store stands. If that is not where it was left, others have changed memberships, by these steps perhaps. */
  async #cursor(steps: readonly BigSegmentPatch[] = []): Promise<string | undefined> {
    const cursor = await this.#readCursor();
    if (this.#position.find(cursor, steps)) {
      this.#context.synchronized(undefined);
      this.#context.changed();
    }
    return cursor;
  }

  /** Databases say null for what they do not have. */
  async #readCursor(): Promise<string | undefined> {
    const cursor: unknown = await this.#ask((store, signal) => store.cursor(signal));
    if (cursor === undefined || cursor === null || typeof cursor === "string") return cursor ?? undefined;
    throw new TypeError("the cursor of a store must be text or undefined");
  }

  async #markSynchronized(): Promise<void> {
    const now = this.#context.clock.now();
    await this.#ask((store, signal) => store.setSynchronizedOn(now, signal));
    this.#toldOn = this.#context.clock.monotonic();
    this.#context.synchronized(now);
  }

  async #revisionsAfter(cursor: string | undefined): Promise<readonly BigSegmentPatch[]> {
    const { upstream, sdkKey } = this.#context;
    const query = cursor === undefined ? "" : `?after=${encodeURIComponent(cursor)}`;
    const url = `${upstream.polling}/sdk/big-segments/revisions${query}`;
    const { statusCode, body } = await askUpstream(upstream.dispatcher, url, {
      method: "GET",
      signal: this.#abort.signal,
      headersTimeout: upstream.requestTimeoutMs,
      bodyTimeout: upstream.requestTimeoutMs,
      headers: { authorization: sdkKey(), "user-agent": "wye-relay" },
    });
    if (statusCode !== 200) {
      body.on("error", () => {}).destroy();
      throw new Error(`upstream answered ${statusCode}`);
    }
    return readPatches((await readLimited(body, upstream.maxEventBytes)).toString());
  }

  /** Asks the store, but not for ever. */
  #ask<Result>(
    call: (store: BigSegmentStore, signal: AbortSignal) => Promise<Result>,
    limitMs = storeLimitMs,
  ): Promise<Result> {
    const { signal } = this.#abort;
    const { result, cancel } = timedCall(this.#context.clock, limitMs, (limit) =>
      call(this.#context.store, limit),
    );
    const closed = () => cancel(new Error("closed"));
    signal.addEventListener("abort", closed, { once: true });
    if (signal.aborted) closed();
    return result
      .catch((error: unknown) => {
        throw new RelayError("store_failed", placeOfStore(this.#context.store.about) + messageOf(error), {
          cause: error,
        });
      })
      .finally(() => signal.removeEventListener("abort", closed));
  }
}

function nothingLeadsTo(version: string, remedy?: string): RelayError {
  const why = `upstream has nothing that leads to ${JSON.stringify(version)} yet`;
  return new RelayError("malformed_data", remedy === undefined ? why : `${why} (${remedy})`);
}

/** How many entries of contexts a patch changes. */
function sizeOf({ included, excluded }: BigSegmentPatch): number {
  return [included.add, included.remove, excluded.add, excluded.remove].reduce(
    (sum, { length }) => sum + length,
    0,
  );
}
