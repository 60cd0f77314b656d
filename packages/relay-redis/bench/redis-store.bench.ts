import { createClient } from "@redis/client";
import { type Item, parseItem } from "@wye/relay";
import { bench } from "../../../scripts/bench-harness.js";
import { redisStore } from "../src/index.js";
import { contextOf, never } from "../test/fixtures.js";
import { startRedis } from "../test/redis-server.js";

/** A flag of usual size. */
function flag(index: number, version: number): Item {
  const rules = Array.from({ length: 5 }, (_, rule) => ({
    id: `rule-${rule}`,
    variation: rule % 2,
    clauses: [{ attribute: "country", op: "in", values: ["de", "fr", `c${index}`], negate: false }],
  }));
  const key = `flag-${index}`;
  return parseItem(
    "flags",
    key,
    JSON.stringify({ key, version, on: true, rules, variations: [true, false] }),
  );
}

const redis = await startRedis();
const url = `redis://127.0.0.1:${redis.port}`;
const client = createClient({ url });
await client.connect();
const store = redisStore({ url, prefix: "store" })(contextOf("bench"));
const items = Array.from({ length: 1000 }, (_, index) => flag(index, 1));
const texts = Object.fromEntries(items.map(({ key, json }) => [key, json]));

await bench(
  "put of 1,000 flags into Redis",
  {
    "the store": () => store.replace(items, never),
    "the driver alone": () =>
      client.multi().del("driver:features").hSet("driver:features", texts).set("driver:$inited", "").exec(),
  },
  {
    // A collection of garbage takes as long as several puts: shorter turns have one or none, and are compared by that.
    turnMs: 400,
    note: "the driver in the transaction that SDKs use, without old items kept until the new ones are there; more than half of what Redis does for the store is to hand so much text to a script",
  },
);

let version = 1;
await bench(
  "a patch into Redis",
  {
    "the store": () => store.upsert([flag(7, ++version)], never),
    "the driver alone": async () => {
      const kept: { version: number } = JSON.parse((await client.hGet("driver:features", "flag-7")) ?? "{}");
      const { key, json } = flag(7, ++version);
      if (kept.version < version) await client.hSet("driver:features", key, json);
    },
  },
  { turnMs: 400, note: "the driver reads, compares and writes, and loses updates when two do so at once" },
);

await store.close();
client.destroy();
await redis.stop();
