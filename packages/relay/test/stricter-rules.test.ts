import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type BigSegmentStore, memoryBigSegmentStore } from "../src/index.js";
import { loggerFrom } from "../src/logger.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { createStoreContext } from "../src/testing/store-context.js";
import { flag, keys, startRelay } from "./start-relay.js";

const context = '{"key":"u"}';
const encoded = Buffer.from(context).toString("base64url");
const page = `/eval/${keys.envId}/${encoded}`;
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
const statusOf = async (relay: Awaited<ReturnType<typeof startRelay>>, key: string) =>
  (await relay.fetch("GET", "/sdk/flags", { headers: { authorization: key } })).status;

async function withPage(options: object = {}, path = page) {
  const relay = await startRelay({ environments: { prod: { ...keys, ...options } } });
  const stream = await relay.open(path, { headers: { origin: "https://a.example" } });
  await stream.next();
  return { relay, stream, environments: relay.relay.environments };
}

describe("streams of pages end when what they need becomes more", () => {
  const changes = {
    "secure mode": { secureMode: true },
    "a list of origins": { allowedOrigins: ["https://b.example"] },
  };
  for (const [name, change] of Object.entries(changes)) {
    test(name, async () => {
      const { relay, stream, environments } = await withPage();
      const mobile = await relay.open(`/meval/${encoded}`, { headers: { authorization: keys.mobileKey } });
      await mobile.next();
      await environments.update("prod", change);
      await stream.ended;
      relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 9));
      expect((await mobile.next()).event).toBe("patch");
    });
  }

  test("a list of origins, of those that it leaves out", async () => {
    const { stream, relay, environments } = await withPage();
    const openFrom = async (path: string, headers: Record<string, string>) => {
      const one = await relay.open(path, { headers });
      await one.next();
      return one;
    };
    const ping = `/ping/${keys.envId}`;
    const left = await Promise.all([
      openFrom(page, { origin: "https://shop.b.example" }),
      openFrom(ping, { origin: "https://shop.b.example" }),
      openFrom(page, {}),
      openFrom("/all", { origin: "https://a.example", authorization: keys.sdkKey }),
    ]);
    const pinged = await openFrom(ping, { origin: "https://a.example" });
    await environments.update("prod", { allowedOrigins: ["https://*.b.example"] });
    await Promise.all([stream.ended, pinged.ended]);
    relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 9));
    const events = await Promise.all(left.map((one) => one.next()));
    expect(events.map(({ event }) => event)).toEqual(["patch", "ping", "patch", "patch"]);
  });

  const harmless = {
    "the same origins": { allowedOrigins: ["https://a.example"] },
    "another origin beside them": { allowedOrigins: ["https://a.example", "https://b.example"] },
    "all origins": { allowedOrigins: [] },
    "no secure mode": { secureMode: false },
  };
  for (const [name, change] of Object.entries(harmless)) {
    test(`and stay open with ${name}`, async () => {
      const { relay, stream, environments } = await withPage({ allowedOrigins: ["https://a.example"] });
      await environments.update("prod", change);
      relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 9));
      expect((await stream.next()).event).toBe("patch");
    });
  }

  test("a proof ends with the key that it was made with", async () => {
    const hash = createHmac("sha256", keys.sdkKey).update("u").digest("hex");
    const { stream, environments } = await withPage({ secureMode: true }, `${page}?h=${hash}`);
    environments.rotateKey("prod", { sdkKey: "sdk-new" });
    await stream.ended;
  });

  test("one that was made with the key that stays outlives the overlap", async () => {
    const relay = await startRelay({ environments: { prod: { ...keys, secureMode: true } } });
    const { environments } = relay.relay;
    environments.rotateKey("prod", { sdkKey: "sdk-new" }, { overlap: "1h" });
    const [old, present] = await Promise.all(
      [keys.sdkKey, "sdk-new"].map(async (key) => {
        const stream = await relay.open(`${page}?h=${createHmac("sha256", key).update("u").digest("hex")}`);
        await stream.next();
        return stream;
      }),
    );
    await environments.update("prod", { furtherSdkKeys: [{ key: keys.sdkKey, expires: 0 }] });
    await old?.ended;
    relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 9));
    expect((await present?.next())?.event).toBe("patch");
  });

  test("and one that was made with the new key stays, whatever else changes", async () => {
    const { relay, stream, environments } = await withPage(
      { secureMode: true },
      `${page}?h=${createHmac("sha256", keys.sdkKey).update("u").digest("hex")}`,
    );
    environments.rotateKey("prod", { sdkKey: "sdk-new" });
    await stream.ended;
    const proof = createHmac("sha256", "sdk-new").update("u").digest("hex");
    const again = await relay.open(`${page}?h=${proof}`);
    await again.next();
    await environments.update("prod", { ttl: "1m" });
    relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 9));
    expect((await again.next()).event).toBe("patch");
  });
});

describe("a page whose stream would have ended is told to try again if it is being opened", () => {
  const hash = createHmac("sha256", keys.sdkKey).update("u").digest("hex");
  const allowedOrigins = ["https://b.example"];
  type Environments = Awaited<ReturnType<typeof startRelay>>["relay"]["environments"];
  const changes: readonly [string, boolean, (environments: Environments) => unknown][] = [
    ["its proof ends", true, (environments) => environments.rotateKey("prod", { sdkKey: "sdk-new" })],
    ["a proof is asked for", false, (environments) => environments.update("prod", { secureMode: true })],
    ["its origin is left out", false, (environments) => environments.update("prod", { allowedOrigins })],
  ];
  test.each(changes)("%s while memberships are read", async (_, secureMode, change) => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let asked = 0;
    const memory = memoryBigSegmentStore(createStoreContext());
    const store: BigSegmentStore = {
      ...memory,
      async memberships(...question) {
        asked++;
        await held;
        return memory.memberships(...question);
      },
    };
    const clause = { attribute: "", op: "segmentMatch", values: ["beta"], negate: false };
    const rules = [{ id: "r", variation: 0, clauses: [clause] }];
    const beta = { key: "beta", version: 1, unbounded: true, generation: 1, salt: "s", rules: [] };
    const relay = await startRelay({
      data: { [keys.sdkKey]: { flags: { a: flag("a", 1, { rules }) }, segments: { beta } } },
      environments: { prod: { ...keys, secureMode, bigSegments: () => store } },
      // Nobody gives up waiting.
      options: { clock: createManualClock() },
    });
    const opening = relay.fetch("GET", secureMode ? `${page}?h=${hash}` : page, {
      headers: { origin: "https://a.example" },
    });
    await expect.poll(() => asked).toBeGreaterThan(0);
    await change(relay.relay.environments);
    answer();
    expect((await opening).status).toBe(503);
  });
});

test("an overlap goes on when other keys are listed, until its time or until the key is named", async () => {
  const { relay, environments } = await withPage({ furtherSdkKeys: ["listed"] });
  environments.rotateKey("prod", { sdkKey: "sdk-b", mobileKey: "mob-b" }, { overlap: "2h" });
  await environments.update("prod", { furtherSdkKeys: ["partner"], furtherMobileKeys: [] });
  const all = [keys.sdkKey, "sdk-b", "partner", "listed"];
  expect(await Promise.all(all.map((key) => statusOf(relay, key)))).toEqual([200, 200, 200, 401]);
  environments.rotateKey("prod", { sdkKey: "sdk-c" }, { overlap: "2h" });
  expect(await Promise.all([...all, "sdk-c"].map((key) => statusOf(relay, key)))).toEqual([
    200, 200, 200, 401, 200,
  ]);
  await environments.update("prod", { furtherSdkKeys: [{ key: keys.sdkKey, expires: 1 }] });
  expect(await Promise.all([keys.sdkKey, "sdk-b", "sdk-c"].map((key) => statusOf(relay, key)))).toEqual([
    401, 200, 200,
  ]);
});

test("who lists keys while an overlap goes on is told of it, and how to end it", async () => {
  const told: string[] = [];
  const logger = loggerFrom((_, message) => told.push(message));
  const relay = await startRelay({ options: { logger, clock: createManualClock() } });
  const { environments } = relay.relay;
  environments.rotateKey("prod", { sdkKey: "sdk-b", mobileKey: "mob-b" }, { overlap: "90m" });
  const overlaps = () => told.splice(0).filter((line) => line.includes("replaced"));
  await environments.update("prod", { ttl: "1m" });
  expect(overlaps()).toEqual([]);
  await environments.update("prod", { furtherSdkKeys: [] });
  expect(overlaps()).toEqual([
    expect.stringMatching(
      /^\[prod\] sdk-\*.* is accepted for another 90 min; .* in furtherSdkKeys with an expires /,
    ),
  ]);
  await environments.update("prod", {
    furtherSdkKeys: [{ key: keys.sdkKey, expires: 0 }],
    furtherMobileKeys: ["mob-c"],
  });
  expect(overlaps()).toEqual([expect.stringMatching(/^\[prod\] mob-\*.* in furtherMobileKeys /)]);
  expect(await statusOf(relay, keys.sdkKey)).toBe(401);
});

test("a new key that upstream refuses is the last error, while the old one goes on", async () => {
  const { relay, environments } = await withPage();
  const connection = () => relay.relay.status().environments.prod!.connectionStatus;
  expect(connection()).not.toHaveProperty("lastError");
  environments.rotateKey("prod", { sdkKey: "sdk-mistyped" }, { overlap: "1h" });
  while (connection().lastError === undefined) await turn();
  expect(connection()).toMatchObject({ state: "VALID", lastError: { kind: "ERROR_RESPONSE" } });
});

test("many streams end in turns when their key goes; none of them is told anything more", async () => {
  const relay = await startRelay({ options: { streams: { sliceMs: 0.001 } } });
  const headers = { authorization: keys.sdkKey };
  const streams = await Promise.all(Array.from({ length: 40 }, () => relay.open("/all", { headers })));
  await Promise.all(streams.map((stream) => stream.next()));
  relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-new" });
  await Promise.all(streams.map((stream) => stream.ended));
  for (const stream of streams) await expect(stream.next()).rejects.toThrow("the stream has ended");
});
