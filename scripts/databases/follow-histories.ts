import { type Item, parseItem, tombstone } from "@wye/relay";
import { type FaultyDatabase, startRelayBehindFaults } from "./relay-behind-faults.js";

/** How much is done to it. */
export interface HistoryOptions {
  readonly environments: number;
  readonly rounds: number;
  readonly seed: number;
}

/** Numbers that are the same for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
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
  database: FaultyDatabase,
  { environments, rounds, seed }: HistoryOptions,
): Promise<void> {
  const random = randomFrom(seed);
  const names = Array.from({ length: environments }, (_, index) => `env-${index}`);
  const behind = await startRelayBehindFaults(database, names);
  const { proxy, clock, until } = behind;

  /** What each environment serves: text by key. */
  const served = new Map(names.map((name) => [name, new Map<string, string>()]));
  let version = 0;

  async function change(name: string): Promise<void> {
    const expected = served.get(name) ?? new Map<string, string>();
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
    await behind.deliver(name, { extent: full ? "full" : "partial", items });
    const keptKeys = [...expected.keys()];
    const key = keptKeys[random(keptKeys.length)] ?? "";
    const text = expected.get(key) ?? "";
    const kept: { readonly deleted?: boolean } = JSON.parse(text);
    const answer = await behind.ask(name, key);
    if (answer !== (kept.deleted ? "404" : text))
      throw new Error(`${key} should be ${text}, and is ${answer}`);
  }
  const changeOne = () => change(`env-${random(environments)}`);

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

  const sorted = (texts: Iterable<readonly [string, string]>) => JSON.stringify([...texts].sort());

  try {
    for (let round = 0; round < rounds; round++) {
      for (let step = 0; step < 12; step++) {
        await faults[random(faults.length)]?.();
        await changeOne();
        await changeOne();
      }
      // A connection that swallowed half of a command is of no more use to anybody.
      proxy.cut();
      proxy.passage = "open";
      proxy.accepting = true;
      await database.refuseWrites(false);
      for (const [name, expected] of served) {
        if (expected.size === 0) continue;
        await until(async () => {
          const kept = Object.entries(await database.contents(name));
          return behind.storeState(name) === "VALID" && sorted(kept) === sorted(expected);
        });
      }
    }
    // The status follows an outage although nothing is written.
    for (const wanted of ["INTERRUPTED", "VALID"]) {
      proxy.accepting = wanted === "VALID";
      proxy.cut();
      await until(async () =>
        [...served].every(([name, { size }]) => size === 0 || behind.storeState(name) === wanted),
      );
    }
    if ([...served].some(([, { size }]) => size === 0)) throw new Error("an environment has no history");
  } finally {
    await behind.close();
  }
}
