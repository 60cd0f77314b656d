import { type Item, parseItem } from "@wye/relay";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  type FaultyDatabase,
  type RelayBehindFaults,
  startRelayBehindFaults,
} from "./relay-behind-faults.js";

/** A database to which everything may be done that happens to databases. */
export interface TroubledDatabase extends FaultyDatabase {
  /** Lets it have no more room or capacity for writes, or have them again. */
  fill(full: boolean): Promise<void>;
  /** Puts something in the place of the flag `greeting`, or of all flags, that is none. */
  spoil(environment: string): Promise<void>;
  /** Deletes all flags of an environment, and that there were any. */
  empty(environment: string): Promise<void>;
  stop(): Promise<void>;
}

/** A relay with one environment, and what upstream has told it. */
interface Subject extends Omit<RelayBehindFaults, "deliver" | "ask" | "storeState"> {
  put(...items: readonly Item[]): Promise<void>;
  patch(...items: readonly Item[]): Promise<void>;
  /** The version of the flag that is served. */
  served(): Promise<number>;
  /** The version of the flag in the database. */
  kept(): Promise<number | undefined>;
  /** Waits for a status. */
  state(wanted: string): Promise<void>;
  /** Waits until the database has what is served, all of it and nothing else, and the status says so. */
  arrived(stepMs?: number): Promise<void>;
}

/** A flag of some size; `greeting` unless it is said. */
function flag(version: number, key = "greeting"): Item {
  return parseItem("flags", key, JSON.stringify({ key, version, pad: "x".repeat(1000) }));
}
const many = (version: number) => Array.from({ length: 200 }, (_, index) => flag(version, `flag-${index}`));

/** What has to hold of a store whose database fails in one way after the other. */
export function describeFaults(start: () => Promise<TroubledDatabase>): void {
  let database: TroubledDatabase;
  let environments = 0;
  beforeAll(async () => {
    database = await start();
  });
  afterAll(() => database.stop());

  async function relayFor(environment: string): Promise<Subject> {
    const behind = await startRelayBehindFaults(database, [environment]);
    onTestFinished(() => behind.close());
    const told = new Map<string, string>();
    const deliver = async (extent: "full" | "partial", items: readonly Item[]) => {
      if (extent === "full") told.clear();
      for (const { key, json } of items) told.set(key, json);
      await behind.deliver(environment, { extent, items });
    };
    const state = () => behind.storeState(environment);
    return {
      ...behind,
      put: (...items) => deliver("full", items),
      patch: (...items) => deliver("partial", items),
      served: async () => JSON.parse(await behind.ask(environment, "greeting")).version,
      async kept() {
        const { greeting } = await database.contents(environment);
        return greeting === undefined ? undefined : JSON.parse(greeting).version;
      },
      state: (wanted) => behind.until(async () => state() === wanted),
      arrived: (stepMs) =>
        behind.until(async () => {
          const kept = await database.contents(environment);
          const isKept = [...told].every(([key, text]) => kept[key] === text);
          return isKept && Object.keys(kept).length === told.size && state() === "VALID";
        }, stepMs),
    };
  }
  const newEnvironment = () => `fault-${environments++}`;

  /** A relay whose first set is in the database. */
  async function settled(environment = newEnvironment()): Promise<Subject> {
    const subject = await relayFor(environment);
    await subject.put(flag(1), flag(1, "other"));
    await subject.arrived();
    return subject;
  }

  test("away from the start: flags are served, and written when it comes", async () => {
    const environment = newEnvironment();
    const subject = await relayFor(environment);
    subject.proxy.accepting = false;
    await subject.put(flag(1));
    await subject.state("INTERRUPTED");
    expect(await subject.served()).toBe(1);
    expect(await database.contents(environment)).toEqual({});
    subject.proxy.accepting = true;
    await subject.arrived();
  });

  test("cut in the middle of a full set: the set is written in the end, whole", async () => {
    const { put, proxy, until, arrived } = await settled();
    proxy.cutAfter(50_000);
    await put(...many(2));
    await until(async () => proxy.cuts > 0);
    await arrived();
  });

  test("cut in the middle of a change: the change is written in the end", async () => {
    const { patch, served, proxy, until, arrived } = await settled();
    proxy.cutAfter(300);
    await patch(flag(2));
    expect(await served()).toBe(2);
    await until(async () => proxy.cuts > 0);
    await arrived();
  });

  test("late by seconds: no request waits, and all arrives", async () => {
    const { patch, served, kept, proxy, arrived } = await settled();
    proxy.lateMs = 2000;
    proxy.passage = "late";
    await patch(flag(2));
    expect(await served()).toBe(2);
    // What is written can only be there later.
    expect(await kept()).toBe(1);
    // The relay's time is the network's here.
    await arrived(2);
  });

  test("connections that are open on one side only are given up, and all arrives", async () => {
    const { patch, served, proxy, arrived } = await settled();
    proxy.forget();
    await patch(flag(2));
    expect(await served()).toBe(2);
    await arrived();
  });

  test("silent: changes and requests do not wait, the status tells, and all arrives when it speaks again", async () => {
    const { patch, served, state, proxy, arrived } = await settled();
    proxy.passage = "silent";
    for (const version of [2, 3, 4]) {
      await patch(flag(version));
      expect(await served()).toBe(version);
    }
    await state("INTERRUPTED");
    proxy.passage = "open";
    await arrived();
  });

  test("silent: the end does not wait either", async () => {
    const { put, relay, proxy } = await settled();
    proxy.passage = "silent";
    await put(...many(2));
    // The relay's time stands still: only who is not waited for is no hindrance.
    await relay.close({ within: 0 });
  });

  test("read-only: what was written stays, the status tells, and all arrives when writing is allowed", async () => {
    const { patch, served, kept, state, arrived } = await settled();
    await database.refuseWrites(true);
    onTestFinished(() => database.refuseWrites(false));
    await patch(flag(2));
    expect(await served()).toBe(2);
    await state("INTERRUPTED");
    expect(await kept()).toBe(1);
    await database.refuseWrites(false);
    await arrived();
  });

  test("full: what was written stays, the status tells, and all arrives when there is room", async () => {
    const { put, served, kept, state, arrived } = await settled();
    await database.fill(true);
    onTestFinished(() => database.fill(false));
    await put(flag(2), flag(1, "more"));
    expect(await served()).toBe(2);
    await state("INTERRUPTED");
    expect(await kept()).toBe(1);
    await database.fill(false);
    await arrived();
  });

  test("something else in the place of flags gives way to what comes next", async () => {
    const environment = newEnvironment();
    const { patch, served, arrived } = await settled(environment);
    await database.spoil(environment);
    await patch(flag(2));
    expect(await served()).toBe(2);
    await arrived();
  });

  test("emptied: it is filled again, whatever comes meanwhile", async () => {
    const environment = newEnvironment();
    const { patch, arrived } = await settled(environment);
    await database.empty(environment);
    await patch(flag(2, "other"));
    await arrived();
    await database.empty(environment);
    await arrived();
  });

  test("emptied in the middle of a full set: the set is there in the end, whole", async () => {
    const environment = newEnvironment();
    const { put, proxy, until, arrived } = await settled(environment);
    proxy.lateMs = 200;
    proxy.passage = "late";
    await put(...many(2));
    await until(async () => Object.keys(await database.contents(environment)).length > 2);
    await database.empty(environment);
    proxy.passage = "open";
    await arrived();
  });

  test("clocks that jump by days while it is away change nothing", async () => {
    const { patch, served, state, proxy, clock, arrived } = await settled();
    proxy.accepting = false;
    proxy.cut();
    await state("INTERRUPTED");
    for (const [version, days] of [
      [2, 2],
      [3, -4],
      [4, 1],
    ] as const) {
      clock.jump(days * 86_400_000);
      await patch(flag(version));
      expect(await served()).toBe(version);
    }
    proxy.accepting = true;
    await arrived();
  });

  test("two relays that write at once over a network that cuts end with the highest versions", async () => {
    const environment = newEnvironment();
    const sides = [await settled(environment), await settled(environment)];
    const history = Array.from({ length: 60 }, (_, index) => flag(index + 2, `flag-${(index * 7) % 5}`));
    // Now the one is ahead, now the other.
    const paces = [
      [1, 4, 0],
      [3, 0, 2],
    ];
    const reached = [0, 0];
    for (let round = 0; reached.some((count) => count < history.length); round++) {
      for (const [index, { patch, proxy }] of sides.entries()) {
        const from = reached[index] ?? 0;
        const some = history.slice(from, from + (paces[index]?.[round % 3] ?? 0));
        reached[index] = from + some.length;
        if (round % 5 === index) proxy.cutAfter(round * 40);
        for (const item of some) await patch(item);
      }
    }
    for (const { proxy } of sides) proxy.cut();
    for (const { arrived } of sides) await arrived();
  });

  test("a relay whose upstream is away serves what another one has written", async () => {
    const environment = newEnvironment();
    await settled(environment);
    const late = await relayFor(environment);
    await late.until(async () => (await late.served()) === 1);
    await late.state("VALID");
  });
}
