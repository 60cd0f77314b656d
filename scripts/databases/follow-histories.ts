import { once } from "node:events";
import { createServer, type Server } from "node:http";
import {
  createRelay,
  type FlagStoreFactory,
  type Item,
  parseItem,
  type SourceContext,
  tombstone,
} from "@wye/relay";
import { createManualClock } from "@wye/relay/testing";
import { startFaultProxy } from "./fault-proxy.js";

/** A database, and how a relay keeps flags in it. */
export interface HistoricDatabase {
  readonly port: number;
  /** Keeps the flags of each environment apart by its name; reaches the database at this port. */
  store(port: number): FlagStoreFactory;
  /** What the database has of the flags of an environment: text by key, asked without detours. */
  contents(environment: string): Promise<Readonly<Record<string, string>>>;
  /** Lets it take no writes any more, or take them again. */
  refuseWrites(refuse: boolean): Promise<void>;
}

/** How much is done to it. */
export interface HistoryOptions {
  readonly environments: number;
  readonly rounds: number;
  readonly seed: number;
}

/** Numbers that are the same for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Changes the flags of several environments while the network to the database cuts, forgets, delays and refuses, writes are not
 * allowed, and the clock jumps. No change and no request waits. After each round everything is as it should be, and the
 * database has to become what is served, to the letter; it never rejects if that takes longer.
 */
export async function followHistories(
  database: HistoricDatabase,
  { environments, rounds, seed }: HistoryOptions,
): Promise<void> {
  const random = randomFrom(seed);
  const proxy = await startFaultProxy(database.port);
  const clock = createManualClock();
  const sinks = new Map<number, SourceContext["sink"]>();
  const store = database.store(proxy.port);
  const relay = createRelay({
    environments: Object.fromEntries(
      Array.from({ length: environments }, (_, index) => {
        const source = ({ sink }: SourceContext) => {
          sinks.set(index, sink);
          return { close() {} };
        };
        return [`env-${index}`, { sdkKey: `sdk-${index}`, store, source }];
      }),
    ),
    events: false,
    clock,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const server = createServer(relay.handler).listen(0, "127.0.0.1");
  await once(server, "listening");

  /** What each environment serves: text by key. */
  const served = Array.from({ length: environments }, () => new Map<string, string>());
  let version = 0;

  async function change(index: number): Promise<void> {
    const expected = served[index] ?? new Map<string, string>();
    const fresh = (key: string): Item => {
      const pad = "x".repeat(random(2000));
      const item = parseItem("flags", key, JSON.stringify({ key, version: ++version, pad }));
      expected.set(key, item.json);
      return item;
    };
    const full = expected.size === 0 || random(4) === 0;
    if (full) expected.clear();
    const keys = Array.from({ length: 1 + random(5) }, () => `flag-${random(8)}`);
    const items = [...new Set(keys)].map(fresh);
    const [gone] = expected.keys();
    if (!full && gone !== undefined && !items.some(({ key }) => key === gone) && random(3) === 0) {
      items.push(tombstone("flags", gone, ++version));
      expected.set(gone, JSON.stringify({ key: "$deleted", version, deleted: true }));
    }
    // Whoever delivers never waits for the database.
    await sinks.get(index)?.apply({ extent: full ? "full" : "partial", items });
    const keptKeys = [...expected.keys()];
    const key = keptKeys[random(keptKeys.length)] ?? "";
    const text = expected.get(key) ?? "";
    const kept: { readonly deleted?: boolean } = JSON.parse(text);
    const answer = await ask(server, `sdk-${index}`, `/sdk/flags/${key}`);
    if (answer !== (kept.deleted ? "404" : text))
      throw new Error(`${key} should be ${text}, and is ${answer}`);
  }

  const faults: readonly (() => unknown)[] = [
    () => proxy.cut(),
    () => proxy.cutAfter(random(3000)),
    () => proxy.forget(),
    () => (proxy.passage = "silent"),
    () => (proxy.passage = "late"),
    () => (proxy.passage = "open"),
    () => (proxy.accepting = false),
    () => (proxy.accepting = true),
    () => database.refuseWrites(true),
    () => database.refuseWrites(false),
    () => clock.jump(random(2) === 0 ? 86_400_000 : -86_400_000),
    () => clock.advance(random(15_000)),
  ];

  const stateOf = (index: number) => relay.status().environments[`env-${index}`]?.dataStoreStatus.state;
  const sorted = (texts: Iterable<readonly [string, string]>) => JSON.stringify([...texts].sort());
  /** The relay's time goes on, but no faster than the database, which has to answer within its limits. */
  async function until(enough: () => Promise<boolean>): Promise<void> {
    while (!(await enough())) {
      clock.advance(20);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  try {
    for (let round = 0; round < rounds; round++) {
      for (let step = 0; step < 12; step++) {
        await faults[random(faults.length)]?.();
        await change(random(environments));
        await change(random(environments));
      }
      // A connection that swallowed half of a command is of no more use to anybody.
      proxy.cut();
      proxy.passage = "open";
      proxy.accepting = true;
      await database.refuseWrites(false);
      for (const [index, expected] of served.entries()) {
        if (expected.size === 0) continue;
        await until(async () => {
          const kept = Object.entries(await database.contents(`env-${index}`));
          return stateOf(index) === "VALID" && sorted(kept) === sorted(expected);
        });
      }
    }
    // The status follows an outage although nothing is written.
    for (const wanted of ["INTERRUPTED", "VALID"]) {
      proxy.accepting = wanted === "VALID";
      proxy.cut();
      await until(async () => served.every(({ size }, index) => size === 0 || stateOf(index) === wanted));
    }
    if (served.some(({ size }) => size === 0)) throw new Error("an environment has no history");
  } finally {
    await relay.close({ within: 0 });
    server.closeAllConnections();
    server.close();
    await proxy.close();
  }
}

/** What the relay answers, which it does without asking anybody: an item, or the status that stands for none. */
async function ask(server: Server, sdkKey: string, path: string): Promise<string> {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const headers = { authorization: sdkKey };
  const response = await fetch(`http://127.0.0.1:${address.port}${path}`, { headers });
  const text = await response.text();
  return response.ok ? text : String(response.status);
}
