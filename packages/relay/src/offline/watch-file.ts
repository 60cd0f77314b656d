import { createHash } from "node:crypto";
import type { Clock } from "../clock.js";
import { messageOf } from "../message-of.js";
import { readSteadyFile, stampOfFile } from "./read-steady-file.js";

/** A file that is followed, and what is done with its contents. */
export interface WatchedFile {
  readonly path: string;
  /** How often it is looked at. */
  readonly intervalMs: number;
  readonly maxBytes: number;
  readonly clock: Clock;
  /**
   * Takes new contents; rejects when they cannot be used. The next look waits for it. Resolves with 0, or with the milliseconds after
   * which it wants to be asked again, because it has not taken them yet.
   */
  onContents(bytes: Buffer): Promise<number>;
  /** The contents are the last ones that were taken, after others that were not. */
  onRecovery(): void;
  /** The file, or what is in it, cannot be used; told once until that changes. */
  onProblem(error: unknown): void;
}

/** A file that is being written changes from one look to the next. */
const longestSettleMs = 100;
/** A file that is replaced all the time is read all the same. */
const mostUnsteadyLooks = 10;

/**
 * Reads a file, and reads it anew whenever it changes, however it is changed: in place, by another file moved there, by a
 * link or a folder that is swapped, by a folder that comes back. Only the file itself is looked at, however busy its
 * folder. The result ends it.
 */
export function watchFile(watched: WatchedFile): () => void {
  const { path, intervalMs, maxBytes, clock } = watched;
  const settleMs = Math.min(longestSettleMs, intervalMs);
  let closed = false;
  let cancel = () => {};
  /** What nothing is left to do about: a stamp, or why there is none. */
  let settled: string | undefined;
  let seen: string | undefined;
  /** What is not asked about again before a moment. */
  let early: { readonly state: string; readonly until: number } | undefined;
  let unsteadyLooks = 0;
  let good: string | undefined;
  /** Whether contents were not taken yet. */
  let isWaiting = false;
  let problem: string | undefined;

  /** Looks once, and tells how long to wait for the next look. */
  async function look(): Promise<number> {
    const state = await stampOfFile(path).catch(unreadable);
    if (state === undefined || state === settled || closed) return intervalMs;
    if (state === early?.state && clock.monotonic() < early.until) return settleMs;
    const isFirst = seen === undefined;
    const isSteady = isFirst || state === seen || ++unsteadyLooks > mostUnsteadyLooks;
    seen = state;
    if (!isSteady) return settleMs;
    unsteadyLooks = 0;
    const read = await readSteadyFile(path, maxBytes).catch(unreadable);
    if (read === undefined || closed) return settleMs;
    settled = read.stamp;
    const restMs = await take(read.bytes);
    if (restMs === 0) return intervalMs;
    settled = undefined;
    early = { state: read.stamp, until: clock.monotonic() + restMs };
    return settleMs;
  }

  /** Gives after how long these contents are to be looked at again; 0 when nothing is left to do about them. */
  async function take(bytes: Buffer): Promise<number> {
    const digest = createHash("sha256").update(bytes).digest("base64");
    try {
      const restMs = digest === good ? 0 : await watched.onContents(bytes);
      isWaiting ||= restMs > 0;
      if (restMs > 0) return restMs;
      if (digest === good && (isWaiting || problem !== undefined)) watched.onRecovery();
      good = digest;
      isWaiting = false;
      problem = undefined;
    } catch (error) {
      fail(error);
    }
    return 0;
  }

  function fail(error: unknown): void {
    const message = messageOf(error);
    const isKnown = message === problem;
    problem = message;
    if (!isKnown && !closed) watched.onProblem(error);
  }

  /** When it can be read again it may be what it was. */
  function unreadable(error: unknown): undefined {
    settled = undefined;
    fail(error);
  }

  function lookIn(ms: number): void {
    if (!closed) cancel = clock.schedule(ms, () => void look().then(lookIn));
  }

  void look().then(lookIn);
  return () => {
    closed = true;
    cancel();
  };
}
