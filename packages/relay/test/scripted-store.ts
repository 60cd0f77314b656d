import { compileFlags, type Evaluator, type Item, parseItem } from "@wye/flag-evaluator";
import { expect } from "vitest";
import type { Change } from "../src/change.js";
import { type Logger, silentLogger } from "../src/logger.js";
import type { FlagStore } from "../src/stores/flag-store.js";
import { StoreWriter } from "../src/stores/store-writer.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";

export const start = 1_700_000_000_000;
export const item = (version: number, key = "a"): Item => parseItem("flags", key, `{"version":${version}}`);
export const full = (...items: Item[]): Change => ({ extent: "full", items });
export const partial = (...items: Item[]): Change => ({ extent: "partial", items });
const named = (items: readonly Item[]): string =>
  items.map(({ key, version }) => `${key}${version}`).join(" ");
export const never: Promise<void> = new Promise(() => {});

/** One call that a store got, to be answered by the test. */
export interface Call {
  readonly text: string;
  readonly signal: AbortSignal | undefined;
  answer(result?: readonly Item[] | undefined): void;
  fail(reason?: string): void;
}

/** A writer, what it does, and what upstream and the store do. */
export interface ScriptedStore {
  readonly clock: ManualClock;
  readonly calls: readonly Call[];
  /** What was taken over from the store. */
  readonly adopted: readonly string[];
  /** What was told of failures. */
  readonly errors: readonly string[];
  readonly writer: StoreWriter;
  /** Nothing is taken over before other changes are through. */
  adoptAfter(others: Promise<void>): void;
  /** Upstream is lost, or found again. */
  setInTouch(isInTouch: boolean): void;
  /** Upstream delivers. */
  write(change: Change): void;
  /** The next call of the store. */
  next(): Promise<Call>;
  /** Nothing more is asked, however long one listens. */
  quiet(): Promise<void>;
}

/** A writer before a store whose answers the test gives. */
export function setUp(options: Partial<FlagStore> = {}, logger: Partial<Logger> = {}): ScriptedStore {
  const clock = createManualClock(start);
  const calls: Call[] = [];
  let wake = () => {};
  const ask = <Result>(text: string, signal?: AbortSignal): Promise<Result> =>
    new Promise((resolve, reject) => {
      calls.push({
        text,
        signal,
        answer: (result) => resolve(result as Result),
        fail: (reason = "no disk") => reject(new Error(reason)),
      });
      wake();
    });
  const store: FlagStore = {
    read: (signal) => ask("read", signal),
    replace: (items, signal) => ask(`replace ${named(items)}`, signal),
    upsert: (items, signal) => ask(`upsert ${named(items)}`, signal),
    close: () => ask("close"),
    ...options,
  };
  let served: Evaluator = compileFlags({});
  const adopted: string[] = [];
  const errors: string[] = [];
  let isInTouch = true;
  let turn: Promise<void> | undefined;
  const writer = new StoreWriter(store, {
    clock,
    // Pauses are as long as they may be.
    random: () => 0,
    logger: { ...silentLogger, error: (message) => errors.push(message), ...logger },
    answered: () => {},
    current: () => served.items("flags"),
    isInTouch: () => isInTouch,
    adopt(given) {
      const take = () => {
        const change = given();
        if (change === undefined) return;
        adopted.push(`${change.extent} ${named([...change.items])}`);
        served = served.apply(change);
      };
      if (turn !== undefined) return turn.then(take);
      take();
      return undefined;
    },
  });
  return {
    clock,
    calls,
    adopted,
    errors,
    writer,
    adoptAfter(others) {
      turn = others;
    },
    setInTouch(value) {
      isInTouch = value;
    },
    write(change: Change) {
      const before = served;
      served = served.apply(change);
      writer.write(change, () => before.items("flags"));
    },
    async next(): Promise<Call> {
      while (calls.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return calls.shift() as Call;
    },
    async quiet(): Promise<void> {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      expect(calls.map(({ text }) => text)).toEqual([]);
    },
  };
}
