import type { Evaluator, Item } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import type { Clock } from "../clock.js";
import type { Logger } from "../logger.js";
import type { FlagStore } from "./flag-store.js";

/** The store as the status document shows it. */
export interface StoreStatus {
  readonly state: "VALID" | "INTERRUPTED" | "INITIALIZING";
  /** Unix time in milliseconds of the last change of `state`. */
  readonly stateSince: number;
}

/** Writes to a store one thing at a time and makes up for writes that failed. */
export interface StoreWriter {
  readonly status: StoreStatus;
  /** What the store has, or `undefined` when it has nothing or cannot be read. */
  read(): Promise<readonly Item[] | undefined>;
  /** Writes a change; `current` is the whole set after it. Never rejects: a failed write is made up for later. */
  write(change: Change, current: Evaluator): Promise<void>;
  close(): Promise<void>;
}

const retryMs = 1000;

/** Creates the writer of one environment's store. */
export function createStoreWriter(store: FlagStore, clock: Clock, logger: Logger): StoreWriter {
  let status: StoreStatus = { state: "VALID", stateSince: clock.now() };
  let last: Promise<unknown> = Promise.resolve();
  let missing: Evaluator | undefined;
  let cancelRetry: (() => void) | undefined;
  let closed = false;

  function change(state: StoreStatus["state"]): void {
    if (state !== status.state) status = { state, stateSince: clock.now() };
  }

  async function attempt(what: string, run: () => Promise<unknown>): Promise<boolean> {
    try {
      await run();
      change("VALID");
      return true;
    } catch (error) {
      change("INTERRUPTED");
      logger.error(`data store: ${what} failed: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  }

  async function replaceAll(data: Evaluator): Promise<void> {
    if (closed) return;
    missing = data;
    if (
      await attempt("writing all flags", () =>
        store.replace([...data.items("flags"), ...data.items("segments")]),
      )
    ) {
      missing = undefined;
      return;
    }
    cancelRetry?.();
    cancelRetry = clock.schedule(retryMs, () => {
      if (missing !== undefined) void inOrder(() => replaceAll(missing ?? data));
    });
  }

  function inOrder<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = last.then(run);
    last = result.catch(() => {});
    return result;
  }

  return {
    get status() {
      return status;
    },
    read: () =>
      inOrder(async () => {
        let data: readonly Item[] | undefined;
        await attempt("reading", async () => {
          data = await store.read();
        });
        return data;
      }),
    write: (next, current) =>
      inOrder(async () => {
        if (closed) return;
        if (next.extent === "full" || missing !== undefined) return replaceAll(current);
        for (const item of next.items) {
          if (!(await attempt("writing an item", () => store.upsert(item)))) return replaceAll(current);
        }
      }),
    close: () => {
      closed = true;
      cancelRetry?.();
      return inOrder(async () => void (await attempt("closing", () => store.close())));
    },
  };
}
