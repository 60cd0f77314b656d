import { createRelay, type Item, parseItem, type SourceContext, tombstone } from "@wye/relay";
import { createManualClock } from "@wye/relay/testing";
import { expect, onTestFinished, test } from "vitest";
import { redisStore } from "../src/index.js";
import { startFaultProxy } from "./fault-proxy.js";
import { connectTo } from "./fixtures.js";
import { startRedis } from "./redis-server.js";

const environments = 20;
const rounds = 50;

/** Numbers that are the same for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test(`${environments * rounds} histories over a bad network: nothing waits, no update is lost, the status is right at last`, async () => {
  const random = randomFrom(20);
  const redis = await startRedis();
  const proxy = await startFaultProxy(redis.port);
  const direct = await connectTo(redis.port);
  const clock = createManualClock();
  const sinks = new Map<number, SourceContext["sink"]>();
  const store = redisStore({
    url: `redis://127.0.0.1:${proxy.port}`,
    prefix: ({ environment }) => `env-${environment}`,
  });
  const relay = createRelay({
    environments: Object.fromEntries(
      Array.from({ length: environments }, (_, index) => [
        String(index),
        {
          sdkKey: `sdk-${index}`,
          store,
          source: ({ sink }: SourceContext) => {
            sinks.set(index, sink);
            return { close() {} };
          },
        },
      ]),
    ),
    events: false,
    clock,
  });
  onTestFinished(async () => {
    await relay.close({ within: 0 });
    direct.destroy();
    await proxy.close();
    await redis.stop();
  });

  /** What each environment serves: text by key. */
  const served = Array.from({ length: environments }, () => new Map<string, string>());
  let version = 0;

  async function change(index: number): Promise<void> {
    const expected = served[index] ?? new Map<string, string>();
    const fresh = (key: string): Item => {
      const item = parseItem(
        "flags",
        key,
        JSON.stringify({ key, version: ++version, pad: "x".repeat(random(2000)) }),
      );
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
  }

  const faults = [
    () => proxy.cut(),
    () => proxy.cutAfter(random(3000)),
    () => (proxy.passage = "silent"),
    () => (proxy.passage = "late"),
    () => (proxy.passage = "open"),
    () => (proxy.accepting = false),
    () => (proxy.accepting = true),
    () => clock.jump(random(2) === 0 ? 86_400_000 : -86_400_000),
    () => clock.advance(random(15_000)),
  ];

  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (let round = 0; round < rounds; round++) {
    for (let step = 0; step < 12; step++) {
      faults[random(faults.length)]?.();
      await Promise.all([change(random(environments)), change(random(environments))]);
      await turn();
    }
    // A connection that swallowed half of a command is of no more use to anybody.
    proxy.cut();
    proxy.passage = "open";
    proxy.accepting = true;
    for (const [index, expected] of served.entries()) {
      if (expected.size === 0) continue;
      for (;;) {
        const kept: Record<string, string> = { ...(await direct.hGetAll(`env-${index}:features`)) };
        const state = relay.status().environments[String(index)]?.dataStoreStatus.state;
        if (
          state === "VALID" &&
          JSON.stringify(Object.entries(kept).sort()) === JSON.stringify([...expected].sort())
        )
          break;
        // The relay's time runs ten times as fast as that of the network, which has to answer within its limits.
        clock.advance(20);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    }
  }
  const changed = served.filter(({ size }) => size > 0);
  expect(changed).toHaveLength(environments);
});
