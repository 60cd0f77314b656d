import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  type BigSegmentStoreFactory,
  type FlagStore,
  type FlagStoreFactory,
  memoryBigSegmentStore,
  memoryStore,
} from "../src/index.js";
import { silentLogger } from "../src/logger.js";
import { createStoreContext } from "../src/testing/store-context.js";
import { flag, type Running, startRelay } from "./start-relay.js";

// Upstream has version 1 for the first key and version 2 for the second one.
const [one, two] = ["sdk-1", "sdk-2"] as const;
const data = { [one]: { flags: { a: flag("a", 1) } }, [two]: { flags: { a: flag("a", 2) } } };

/** A database whose places outlive the environments that have them. */
function database() {
  const kept = new Map<string, FlagStore>();
  const at =
    (prefix: string): FlagStoreFactory =>
    (context) => {
      context.places?.claim("the database", prefix, context.environment);
      const store = kept.get(prefix) ?? memoryStore();
      kept.set(prefix, store);
      return { ...store, close: async () => {} };
    };
  const version = async (prefix: string) =>
    (await kept.get(prefix)?.read(AbortSignal.timeout(5000)))?.[0]?.version;
  return { at, version };
}

/** The version that a key gets once its store has said what it has, or the status of the answer. */
async function seen(relay: Running, name: string, authorization: string): Promise<number> {
  const state = () => relay.relay.status().environments[name]?.dataStoreStatus?.state;
  await expect.poll(state, { timeout: 20_000 }).toBe("VALID");
  const { status, body } = await relay.fetch("GET", "/sdk/flags", { headers: { authorization } });
  return status === 200 ? Number(JSON.parse(body).a?.version) : status;
}

/** Two environments with what they have in the database, and an upstream that answers nobody any more. */
async function startTwo() {
  const { at, version } = database();
  const lines: string[] = [];
  const relay = await startRelay({
    data,
    environments: {
      staging: { sdkKey: one, store: at("ld-s") },
      production: { sdkKey: two, store: at("ld-p") },
    },
    options: {
      initTimeout: "10m",
      logger: { ...silentLogger, warn: (line: string) => void lines.push(line) },
    },
  });
  expect([await seen(relay, "staging", one), await seen(relay, "production", two)]).toEqual([1, 2]);
  await expect.poll(async () => [await version("ld-s"), await version("ld-p")]).toEqual([1, 2]);
  for (const key of [one, two]) relay.upstream.environment(key).answer("silent");
  return { relay, environments: relay.relay.environments, at, version, lines };
}

test("environments that exchange their places in a database never get what the other one has there", async () => {
  const { relay, environments, at, version, lines } = await startTwo();
  const gone = [environments.remove("staging"), environments.remove("production")];
  void environments.add("staging", { sdkKey: one, store: at("ld-p") });
  void environments.add("production", { sdkKey: two, store: at("ld-s") });
  await Promise.all(gone);
  expect([await seen(relay, "staging", one), await seen(relay, "production", two)]).toEqual([503, 503]);
  expect(lines.filter((line) => line.includes("the flags of another environment"))).toHaveLength(2);
  for (const key of [one, two]) {
    const isThere = async () => {
      relay.upstream.environment(key).put(data[key]);
      return await version(key === one ? "ld-p" : "ld-s");
    };
    await expect.poll(isThere, { timeout: 20_000 }).toBe(key === one ? 1 : 2);
  }
  expect([await seen(relay, "staging", one), await seen(relay, "production", two)]).toEqual([1, 2]);
  // From then on what is there is theirs.
  await environments.remove("staging");
  void environments.add("staging", { sdkKey: one, store: at("ld-p") });
  expect(await seen(relay, "staging", one)).toBe(1);
});

test("an environment that goes and comes back gets nothing of what it has not replaced", async () => {
  const { relay, environments, at } = await startTwo();
  await environments.remove("production");
  void environments.update("staging", { sdkKey: two });
  expect(await seen(relay, "staging", two)).toBe(503);
  await environments.remove("staging");
  void environments.add("staging", { sdkKey: two, store: at("ld-s") });
  expect(await seen(relay, "staging", two)).toBe(503);
  // Its own place has what it had.
  await environments.remove("staging");
  void environments.add("staging", { sdkKey: two, store: at("ld-p") });
  expect(await seen(relay, "staging", two)).toBe(2);
});

test("an environment under a new name has what it had, and so has one after another that could not be made", async () => {
  const { relay, environments, at } = await startTwo();
  await environments.remove("staging");
  const bigSegments = () => {
    throw new Error("no such table");
  };
  await expect(
    environments.add("other", { sdkKey: "sdk-3", store: at("ld-s"), bigSegments }),
  ).rejects.toThrow("no such table");
  void environments.add("stage", { sdkKey: one, store: at("ld-s") });
  expect(await seen(relay, "stage", one)).toBe(1);
});

test("memberships that another environment has left say nothing of anybody, until they are removed", async () => {
  const clause = { attribute: "", op: "segmentMatch", values: ["beta"], negate: false };
  const early = flag("early", 1, {
    rules: [{ id: "r", variation: 0, clauses: [clause], trackEvents: false }],
    fallthrough: { variation: 1 },
    variations: ["in", "out"],
  });
  const beta = { key: "beta", version: 1, unbounded: true, generation: 2, salt: "s", rules: [] };
  const both = { flags: { early }, segments: { beta } };
  const { signal } = new AbortController();
  const filled = async (...hashes: string[]) => {
    const store = memoryBigSegmentStore(createStoreContext());
    const included = { add: hashes, remove: [] };
    const excluded = { add: [], remove: [] };
    const step = { segmentId: "beta.g2", previousVersion: "", version: "v1", included, excluded };
    if (hashes.length > 0) await store.apply(step, signal);
    await store.setSynchronizedOn(Date.now(), signal);
    return store;
  };
  let kept = await filled(createHash("sha256").update("alice").digest("base64"));
  const bigSegments: BigSegmentStoreFactory = (context) => {
    context.places?.claim("the database", "members", context.environment);
    // The database is the same, what is in it is not.
    const now = () => kept;
    return {
      cursor: (until) => now().cursor(until),
      apply: (step, until) => now().apply(step, until),
      synchronizedOn: (until) => now().synchronizedOn(until),
      setSynchronizedOn: (time, until) => now().setSynchronizedOn(time, until),
      memberships: (hash, until) => now().memberships(hash, until),
      close: async () => {},
    };
  };
  const relay = await startRelay({
    data: { [one]: both, [two]: both },
    environments: { staging: { sdkKey: one, envId: "id", bigSegments } },
  });
  const context = Buffer.from(JSON.stringify({ kind: "user", key: "alice" })).toString("base64url");
  const asked = async () => {
    const path = `/sdk/evalx/id/contexts/${context}?withReasons=true`;
    const { early: answer } = JSON.parse((await relay.fetch("GET", path)).body);
    return [answer?.value, answer?.reason?.bigSegmentsStatus];
  };
  await expect.poll(asked, { timeout: 20_000 }).toEqual(["in", "HEALTHY"]);
  await relay.relay.environments.remove("staging");
  await relay.relay.environments.add("production", { sdkKey: two, envId: "id", bigSegments });
  expect(await asked()).toEqual(["out", "STORE_ERROR"]);
  const status = () => relay.relay.status().environments.production?.bigSegmentStatus?.available;
  expect(status()).toBe(false);
  kept = await filled();
  await expect.poll(asked, { timeout: 60_000 }).toEqual(["out", "HEALTHY"]);
});
