import { type Item, parseItem } from "@wye/relay";
import { createStoreContext } from "@wye/relay/testing";
import { request } from "undici";
import { bench } from "../../../scripts/bench-harness.js";
import { startConsulAgent } from "../../../scripts/databases/consul-agent.js";
import { consulStore } from "../src/index.js";
import { startConsulStandIn } from "../test/consul-stand-in.js";

/** Consul where it is, otherwise what stands in for it, in this process. */
async function start(): Promise<{ readonly address: string; readonly stop: () => Promise<void> }> {
  const program = process.env.WYE_CONSUL;
  if (program !== undefined) return await startConsulAgent(program);
  const { address, close } = await startConsulStandIn();
  return { address, stop: close };
}

/** A flag of usual size. */
function flag(index: number, version: number): Item {
  const key = `flag-${index}`;
  return parseItem("flags", key, JSON.stringify({ key, version, on: true, pad: "x".repeat(600) }));
}

const { address, stop } = await start();
const { signal } = new AbortController();
const store = consulStore({ address, prefix: "store" })(createStoreContext());
const items = Array.from({ length: 1000 }, (_, index) => flag(index, 1));

/** What a client of HTTP has to do at least. */
async function put(path: string, body: string): Promise<void> {
  const answer = await request(`${address}/v1/${path}`, { method: "PUT", body });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`Consul answered ${answer.statusCode}`);
}

await bench(
  "put of 1,000 flags into Consul",
  {
    "the store": () => store.replace(items, signal),
    "HTTP alone": async () => {
      for (let from = 0; from < items.length; from += 64) {
        const steps = items.slice(from, from + 64).map(({ key, json }) => ({
          KV: { Verb: "set", Key: `driver/${key}`, Value: Buffer.from(json).toString("base64") },
        }));
        await put("txn", JSON.stringify(steps));
      }
    },
  },
  { rounds: 5, note: "the store also looks for flags that are gone and writes the marker" },
);

let version = 1;
await bench(
  "a patch into Consul",
  {
    "the store": () => store.upsert([flag(7, ++version)], signal),
    "HTTP alone": () => put("kv/driver/flag-7", flag(7, ++version).json),
  },
  { rounds: 9, note: "HTTP alone reads nothing before it writes, and loses updates" },
);

await store.close();
await stop();
