import { type Item, parseItem } from "@wye/relay";
import { createStoreContext } from "@wye/relay/testing";
import { expect, onTestFinished, test } from "vitest";
import type { ConsulKv, ConsulStep } from "../src/consul-kv.js";
import { createConsulStore } from "../src/create-consul-store.js";
import { consulStore } from "../src/index.js";
import { startConsulStandIn } from "./consul-stand-in.js";

const { signal } = new AbortController();

/** A store, what it logs, and how many transactions it has sent since this was asked last. */
async function openStore() {
  const server = await startConsulStandIn();
  onTestFinished(() => server.close());
  const told: string[] = [];
  const store = consulStore({ address: server.address, prefix: "ld" })(createStoreContext({ told }));
  let before = 0;
  const transactions = () => {
    const all = server.requests.filter((request) => request.startsWith("PUT /v1/txn")).length;
    const since = all - before;
    before = all;
    return since;
  };
  return { store, told, transactions };
}

/** A flag whose text has exactly this length. */
function flagOf(key: string, length: number): Item {
  const frame = JSON.stringify({ key, version: 1, text: "" });
  return parseItem("flags", key, frame.replace('""', `"${"x".repeat(length - frame.length)}"`));
}

/** Of this many bytes base64 makes 480 KiB. */
const most = (480 * 1024 * 3) / 4;

test("a value that takes 480 KiB in a request is kept, and one of a byte more is reported, whichever way it comes", async () => {
  const { store, told } = await openStore();
  for (const write of [
    (item: Item) => store.replace([item], signal),
    (item: Item) => store.upsert([item], signal),
  ]) {
    await store.replace([], signal);
    await write(flagOf("a", most));
    expect((await store.read(signal))?.map(({ deleted }) => deleted)).toEqual([false]);
    expect(told).toEqual([]);
    await store.replace([], signal);
    await write(flagOf("a", most + 1));
    expect((await store.read(signal))?.map(({ deleted }) => deleted)).toEqual([true]);
    expect(told.splice(0)).toEqual([
      expect.stringMatching(/flags "a" has \d+ bytes, which the database does not take/),
    ]);
  }
});

test("a transaction holds 64 steps, and keys and values of 480 KiB", async () => {
  const { store, transactions, told } = await openStore();
  const small = (count: number) => Array.from({ length: count }, (_, index) => flagOf(`${index}`, 60));
  const { length: keyBytes } = "ld/features/a";
  const { length: markerBytes } = "ld/$inited";
  // Three letters are four bytes of base64; the second flag fills what the first one leaves.
  const half = 3 * 61_000;
  const rest = most - (3 * (2 * keyBytes + markerBytes)) / 4 - half;
  expect(rest % 3).toBe(0);
  for (const [items, sent] of [
    [small(63), 1],
    [small(64), 2],
    [small(127), 2],
    [small(128), 3],
    [[flagOf("a", half), flagOf("b", rest)], 1],
    [[flagOf("a", half), flagOf("b", rest + 1)], 2],
    [["a", "b", "c", "d", "e"].map((key) => flagOf(key, half)), 3],
  ] as const) {
    await store.replace([], signal);
    transactions();
    await store.replace(items, signal);
    expect(transactions(), `${items.length} items`).toBe(sent);
    expect(await store.read(signal)).toHaveLength(items.length);
  }
  expect(told).toEqual([]);
});

test("of a full set only what is new is written, then goes what is gone, and the marker is last", async () => {
  const steps: ConsulStep[] = [];
  const kept = Array.from({ length: 200 }, (_, index) => ({
    key: `ld/features/${index < 100 ? "gone-" : ""}${index}`,
    value: flagOf(`${index}`, 60).json,
    index,
  }));
  const kv: ConsulKv = {
    list: async (keyPrefix) => kept.filter(({ key }) => key.startsWith(keyPrefix)),
    names: async () => [],
    async transaction(some) {
      steps.push(...some);
      return [];
    },
  };
  const parts = {
    about: { database: "consul" },
    close: async () => {},
    logger: createStoreContext().logger,
  } as const;
  const store = createConsulStore({ ...parts, kv, prefix: "ld" });
  // Of the last hundred what stands there already is not written again.
  await store.replace(
    Array.from({ length: 200 }, (_, index) => flagOf(`${index}`, index === 150 ? 61 : 60)),
    signal,
  );
  const order = steps.map(({ verb, key }) => (key === "ld/$inited" ? "marker" : verb));
  expect(order).toEqual([...Array(101).fill("set"), ...Array(100).fill("delete"), "marker"]);
});
