import { expect, test } from "vitest";
import type { Change } from "../src/change.js";
import { itemsFromJson } from "../src/sources/change-from-event.js";
import type { SourceFactory, SourceSink } from "../src/sources/source.js";
import { memoryStore } from "../src/stores/memory-store.js";
import { flag, keys, startRelay } from "./start-relay.js";

const server = { headers: { authorization: keys.sdkKey } };
/** So much that it is not taken in one turn. */
const many = Array.from({ length: 40_000 }, (_, n) => `user-${n}`);
const segments = (version: number) => ({ s: { key: "s", version, included: many } });

function change(extent: Change["extent"], flags: object, others: object = {}): Change {
  return { extent, items: itemsFromJson(JSON.stringify({ flags, segments: others })) };
}

/** A relay whose source is the test; it has `first` before it is asked for anything. */
async function startFed(first: Change, environment: object = {}) {
  const sinks: SourceSink[] = [];
  const source: SourceFactory = ({ sink }) => {
    sinks.push(sink);
    void sink.apply(first);
    return { close() {} };
  };
  const relay = await startRelay({ environments: { prod: { ...keys, ...environment, source } } });
  const versionOf = async (key: string) =>
    JSON.parse((await relay.fetch("GET", `/sdk/flags/${key}`, server)).body).version;
  return { relay, sinks, versionOf };
}

test("what comes while a large change is taken takes effect after it", async () => {
  const { sinks, versionOf } = await startFed(change("full", { a: flag("a", 1) }));
  const [sink] = sinks;
  const done: string[] = [];
  const large = sink!.apply(change("full", { a: flag("a", 7) }, segments(1))).then(() => done.push("large"));
  const small = sink!.apply(change("full", { a: flag("a", 2) })).then(() => done.push("small"));
  await Promise.all([large, small]);
  expect(done).toEqual(["large", "small"]);
  expect(await versionOf("a")).toBe(2);
});

test("nothing of a large change is served before all of it is", async () => {
  const { relay, sinks } = await startFed(change("full", { a: flag("a", 1) }));
  let taken = false;
  const large = sinks[0]!.apply(change("full", { a: flag("a", 2), b: flag("b", 1) }, segments(1)));
  void large.then(() => {
    taken = true;
  });
  const context = Buffer.from('{"key":"u"}').toString("base64url");
  const seen = new Set<string>();
  while (!taken) seen.add((await relay.fetch("GET", `/sdk/evalx/contexts/${context}`, server)).body);
  await large;
  seen.add((await relay.fetch("GET", `/sdk/evalx/contexts/${context}`, server)).body);
  const versions = [...seen].map((body) =>
    Object.entries(JSON.parse(body))
      .map(([key, details]) => `${key}${(details as { version: number }).version}`)
      .join(),
  );
  expect(versions.filter((one) => one !== "a1")).toEqual(["a2,b1"]);
});

test("what a store has does not take the place of what upstream delivers meanwhile", async () => {
  const store = memoryStore();
  await store.replace(
    change("full", { a: flag("a", 90), old: flag("old", 1) }).items,
    AbortSignal.timeout(60_000),
  );
  // The store answers while the change of upstream is taken.
  const { relay, versionOf } = await startFed(change("full", { a: flag("a", 1) }, segments(1)), {
    store: () => store,
  });
  await relay.relay.ready();
  while ((await store.read(AbortSignal.timeout(60_000)))?.some(({ key }) => key === "s") !== true)
    await new Promise((resolve) => setImmediate(resolve));
  expect((await relay.fetch("GET", "/sdk/flags/old", server)).status).toBe(404);
  expect(await versionOf("a")).toBe(1);
});

test("an environment that is removed while a large change is taken serves nothing of it, and the change ends", async () => {
  const { relay, sinks } = await startFed(change("full", { a: flag("a", 1) }));
  const large = sinks[0]!.apply(change("full", { a: flag("a", 2) }, segments(1)));
  await relay.relay.environments.remove("prod");
  await large;
  expect((await relay.fetch("GET", "/sdk/flags/a", server)).status).toBe(401);
});
