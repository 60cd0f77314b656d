import type { Item } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { full, item, partial } from "../../test/scripted-store.js";
import type { Change } from "../change.js";
import { createManualClock, type ManualClock } from "../testing/manual-clock.js";
import { PendingWork } from "./pending-work.js";
import { StoreTasks } from "./store-tasks.js";

const named = (items: readonly Item[]) => items.map(({ key, version }) => `${key}${version}`).join(" ");

interface Tried {
  readonly tasks: StoreTasks;
  readonly pending: PendingWork;
  readonly clock: ManualClock;
  /** What the store was asked, and what was taken over from it. */
  readonly done: string[];
  /** What the store has; an error if it cannot say. */
  kept: readonly Item[] | undefined | Error;
  /** What the store has in place of what is upserted. */
  refuses: readonly Item[];
  isInTouch: boolean;
  isFilled: boolean;
  /** How often the store says that it was lost, if it does. */
  losses: number | undefined;
  /** Upstream delivers. */
  deliver(change: Change): void;
}

/** Tasks before a store that says at once what the test has set; what is adopted is only noted. */
function setUp(isStale = false, losses?: number): Tried {
  const pending = new PendingWork();
  const clock = createManualClock();
  const done: string[] = [];
  let served: readonly Item[] = [];
  const { signal } = new AbortController();
  const call = <Result>(run: (signal: AbortSignal) => Promise<Result>) => run(signal);
  const tried: Tried = {
    pending,
    clock,
    done,
    kept: undefined,
    refuses: [],
    isInTouch: true,
    isFilled: true,
    losses,
    get tasks() {
      return tasks;
    },
    deliver(change) {
      const before = served;
      served = [...change.items];
      tasks.noteDelivery(change, before);
    },
  };
  const tasks: StoreTasks = new StoreTasks(
    {
      async read() {
        done.push("read");
        if (tried.kept instanceof Error) throw tried.kept;
        return tried.kept;
      },
      async replace(items) {
        done.push(`replace ${named(items)}`);
      },
      async upsert(items) {
        done.push(`upsert ${named(items)}`);
        return tried.refuses;
      },
      async isFilled() {
        done.push("is filled?");
        return tried.isFilled;
      },
      async noteKeys() {
        done.push("keys");
      },
      // What it does not tell it has no function for, or one that gives nothing.
      losses: () => tried.losses as number,
      async close() {},
    },
    {
      calls: { ask: call, write: call, stopAsking: () => {} },
      clock,
      pending,
      served: {
        current: () => served,
        isInTouch: () => tried.isInTouch,
        async adopt(given) {
          const change = given();
          if (change !== undefined) done.push(`adopt ${change.extent} ${named([...change.items])}`);
        },
      },
      isStale,
      replaced: () => done.push("replaced"),
    },
  );
  return tried;
}

test("what a store still lacks after it was mended is not given to it once more", async () => {
  const tried = setUp();
  tried.deliver(full(item(2)));
  tried.kept = [item(1)];
  await tried.tasks.perform({ kind: "mend" });
  await tried.tasks.perform({ kind: "read" });
  expect(tried.pending.isEmpty).toBe(true);
  expect(tried.done.filter((call) => call.startsWith("upsert"))).toEqual(["upsert a2"]);
  tried.deliver(full(item(3)));
  await tried.tasks.perform({ kind: "read" });
  expect(tried.pending.take()).toEqual({ kind: "upsert", items: [item(3)] });
});

test("what is in the way of restoring gives way to a full set at the second time, and is read again afterwards", async () => {
  const tried = setUp();
  tried.deliver(full(item(1)));
  tried.kept = new Error("no flag");
  const restore = () => tried.tasks.perform({ kind: "restore" });
  await expect(restore()).rejects.toThrow("no flag");
  await restore();
  expect(tried.done.splice(0)).toEqual(["read", "replace a1", "replaced"]);
  await expect(restore()).rejects.toThrow("no flag");
  expect(tried.done.splice(0)).toEqual(["read"]);
  // Who has lost upstream writes over nothing that it cannot read.
  tried.isInTouch = false;
  await expect(restore()).rejects.toThrow("no flag");
  tried.isInTouch = true;
  tried.kept = [item(1)];
  await tried.tasks.perform({ kind: "read" });
  tried.done.length = 0;
  await restore();
  expect(tried.done[0]).toBe("read");
});

test.each([
  { isStale: false, done: ["upsert a1", "adopt full a9"] },
  { isStale: true, done: ["upsert a1"] },
])("what a store has in place of an item is taken over: $done", async ({ isStale, done }) => {
  const tried = setUp(isStale);
  tried.refuses = [item(9)];
  await tried.tasks.perform({ kind: "upsert", items: [item(1)] });
  expect(tried.done).toEqual(done);
});

test("what another environment has left is served by none, and replaced without being read, in touch or not", async () => {
  const tried = setUp(true);
  tried.kept = [item(7)];
  await tried.tasks.perform({ kind: "read" });
  expect(tried.done.splice(0)).toEqual(["read"]);
  tried.deliver(full(item(1)));
  tried.isInTouch = false;
  await tried.tasks.perform({ kind: "replace", isAgain: true });
  expect(tried.done.splice(0)).toEqual(["replace a1", "replaced"]);
  await tried.tasks.perform({ kind: "replace", isAgain: true });
  expect(tried.done[0]).toBe("read");
});

test("others have fifteen seconds to fill an empty store, each time it is found empty", async () => {
  const tried = setUp();
  tried.deliver(full(item(1)));
  tried.isInTouch = false;
  const isWrittenAfter = async (ms: number) => {
    tried.clock.advance(ms);
    await tried.tasks.perform({ kind: "probe", isDoubted: false });
    const isWritten = !tried.pending.isEmpty;
    while (tried.pending.take() !== undefined);
    return isWritten;
  };
  tried.isFilled = false;
  expect([await isWrittenAfter(0), await isWrittenAfter(14_999), await isWrittenAfter(1)]).toEqual([
    false,
    false,
    true,
  ]);
  tried.kept = [item(1)];
  await tried.tasks.perform({ kind: "mend" });
  expect([await isWrittenAfter(0), await isWrittenAfter(14_999), await isWrittenAfter(1)]).toEqual([
    false,
    false,
    true,
  ]);
  tried.isFilled = true;
  await isWrittenAfter(0);
  tried.isFilled = false;
  expect([await isWrittenAfter(0), await isWrittenAfter(15_000)]).toEqual([false, true]);
});

test.each([
  { kind: "read", losses: 0, adopted: "a1 b1" },
  { kind: "read", losses: 3, adopted: "a1 b1" },
  { kind: "read", losses: undefined, adopted: "a1" },
  { kind: "mend", losses: 0, adopted: "a1" },
] as const)(
  "of a store that was lost $losses times before $adopted is taken over by a task to $kind",
  async ({ kind, losses, adopted }) => {
    const tried = setUp(false, losses);
    tried.deliver(full(item(1)));
    tried.kept = [item(1), item(1, "b")];
    await tried.tasks.perform({ kind });
    expect(tried.done.slice(0, 2)).toEqual(["read", `adopt partial ${adopted}`]);
  },
);

test("a store that was lost before it was read is mended, as it may have come back as it was long ago", async () => {
  const tried = setUp(false, 0);
  tried.deliver(full(item(1)));
  tried.kept = [item(1)];
  await tried.tasks.perform({ kind: "read" });
  expect(tried.pending.isEmpty).toBe(true);
  tried.losses = 1;
  await tried.tasks.perform({ kind: "read" });
  expect(tried.pending.take()).toEqual({ kind: "mend" });
});

test("a store that was lost is not believed what others have added, however often it is read, until it was mended", async () => {
  const tried = setUp(false, 0);
  tried.deliver(full(item(1)));
  tried.kept = [item(1), item(1, "b")];
  const adopted = async () => {
    tried.done.length = 0;
    await tried.tasks.perform({ kind: "read" });
    return tried.done.find((call) => call.startsWith("adopt"));
  };
  tried.losses = 1;
  expect([await adopted(), await adopted()]).toEqual(["adopt partial a1", "adopt partial a1"]);
  await tried.tasks.perform({ kind: "mend" });
  expect(await adopted()).toBe("adopt partial a1 b1");
});

test.each([
  { isFilled: false, isDoubted: false },
  { isFilled: true, isDoubted: true },
])("as long as nothing is served nothing is written, whatever a store says: $isFilled", async (asked) => {
  const tried = setUp();
  tried.isFilled = asked.isFilled;
  await tried.tasks.perform({ kind: "probe", isDoubted: asked.isDoubted });
  expect([tried.done, tried.pending.isEmpty]).toEqual([["is filled?"], true]);
});

test("what another environment has left is not replaced unread by a part", async () => {
  const tried = setUp(true);
  tried.deliver(partial(item(1)));
  tried.isInTouch = false;
  await tried.tasks.perform({ kind: "replace", isAgain: true });
  expect(tried.done).toEqual(["read", "replace a1", "replaced"]);
});

test.each([
  { isStale: false, done: ["keys"] },
  { isStale: true, done: [] },
])("keys are noted beside what they open only: $done", async ({ isStale, done }) => {
  const tried = setUp(isStale);
  await tried.tasks.perform({ kind: "keys" });
  expect(tried.done).toEqual(done);
});

test("what could not be read when it was mended is read before it is restored", async () => {
  const tried = setUp();
  tried.deliver(full(item(1)));
  tried.kept = new Error("no flag");
  await expect(tried.tasks.perform({ kind: "mend" })).rejects.toThrow("no flag");
  await expect(tried.tasks.perform({ kind: "restore" })).rejects.toThrow("no flag");
  expect(tried.done).toEqual(["read", "read"]);
});
