import { init, type LDClient } from "@launchdarkly/node-server-sdk";
import * as oldClientSdk from "launchdarkly-node-client-sdk";
import * as oldServerSdk from "launchdarkly-node-server-sdk";
import { expect, onTestFinished, test } from "vitest";
import { startOffline } from "./start-offline.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

const user = { kind: "user", key: "alice" };
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const turn = () => new Promise((resolve) => setTimeout(resolve, 2));

const start = () =>
  startRelay({
    data: { [keys.sdkKey]: { flags: { a: flag("a", 1), b: flag("b", 1) } } },
    options: { events: { flushInterval: 20 } },
  });

const change = (relay: Running) =>
  relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2, { on: false }));

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await turn();
}

/** Waits until events of an SDK have reached upstream, at this address. */
async function eventsAt(relay: Running, path: string): Promise<void> {
  const seen: string[] = [];
  await until(async () => {
    seen.push(...(await relay.upstream.takePosts()).map((post) => post.path));
    return seen.includes(path);
  });
}

test("the Node server SDK, streaming: starts, sees a live change, delivers events", async () => {
  const relay = await start();
  const client: LDClient = init(keys.sdkKey, {
    baseUri: relay.url,
    streamUri: relay.url,
    eventsUri: relay.url,
    logger: silent,
    flushInterval: 1,
  });
  onTestFinished(() => client.close());
  await client.waitForInitialization({ timeout: 20 });
  expect(await client.variation("a", user, null)).toBe(true);
  change(relay);
  await until(async () => (await client.variation("a", user, null)) === false);
  await client.flush();
  await eventsAt(relay, "/bulk");
});

test("the Node server SDK takes the flags of a file, and their changes", async () => {
  const offline = await startOffline(
    "flags.yaml",
    "short: true\nlist: { variations: [[1]], fallthrough: { variation: 0 } }",
    { keys },
  );
  const client: LDClient = init(keys.sdkKey, {
    baseUri: offline.url,
    streamUri: offline.url,
    eventsUri: offline.url,
    logger: silent,
  });
  onTestFinished(() => client.close());
  await client.waitForInitialization({ timeout: 20 });
  expect((await client.allFlagsState(user)).allValues()).toEqual({ short: true, list: [1] });
  await offline.replace("short: false");
  await offline.until(async () => (await client.variation("short", user, null)) === false);
  await client.flush();
});

test("the Node server SDK, polling", async () => {
  const relay = await start();
  const client: LDClient = init(keys.sdkKey, {
    baseUri: relay.url,
    streamUri: relay.url,
    eventsUri: relay.url,
    stream: false,
    sendEvents: false,
    logger: silent,
  });
  onTestFinished(() => client.close());
  await client.waitForInitialization({ timeout: 20 });
  expect((await client.allFlagsState(user)).allValues()).toEqual({ a: true, b: true });
});

test("the Node server SDK of the previous generation", async () => {
  const relay = await start();
  const client = oldServerSdk.init(keys.sdkKey, {
    baseUri: relay.url,
    streamUri: relay.url,
    eventsUri: relay.url,
    logger: silent,
    flushInterval: 1,
  });
  onTestFinished(() => client.close());
  await client.waitForInitialization();
  expect(await client.variation("a", user, null)).toBe(true);
  change(relay);
  await until(async () => (await client.variation("a", user, null)) === false);
  await client.flush();
  await eventsAt(relay, "/bulk");
});

for (const useReport of [false, true]) {
  test(`the Node client SDK with ${useReport ? "REPORT" : "GET"}: evaluated flags, reasons, a live change, events`, async () => {
    const relay = await start();
    const client = oldClientSdk.initialize(keys.envId, user, {
      baseUrl: relay.url,
      streamUrl: relay.url,
      eventsUrl: relay.url,
      streaming: true,
      useReport,
      evaluationReasons: true,
      logger: silent,
    });
    onTestFinished(() => client.close());
    await client.waitForInitialization();
    expect(client.variationDetail("a", null)).toEqual({
      value: true,
      variationIndex: 0,
      reason: { kind: "FALLTHROUGH" },
    });
    change(relay);
    await until(() => client.variation("a", null) === false);
    expect(client.variationDetail("a", null)).toMatchObject({ reason: { kind: "OFF" } });
    await client.flush();
    await eventsAt(relay, `/events/bulk/${keys.envId}`);
  });
}

test("an SDK goes on after the relay was restarted on the same port", async () => {
  const { createServer } = await import("node:http");
  const relay = await start();
  const target = { current: relay };
  const front = createServer((req, res) => target.current.relay.handler(req, res));
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const address = front.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const client: LDClient = init(keys.sdkKey, {
    baseUri: url,
    streamUri: url,
    eventsUri: url,
    sendEvents: false,
    streamInitialReconnectDelay: 0.05,
    logger: silent,
  });
  onTestFinished(async () => {
    client.close();
    front.closeAllConnections();
    await new Promise((resolve) => front.close(resolve));
  });
  await client.waitForInitialization({ timeout: 20 });
  const second = await startRelay({ data: { [keys.sdkKey]: { flags: { a: flag("a", 5, { on: false }) } } } });
  target.current = second;
  await relay.relay.close({ within: 0 });
  await until(async () => (await client.variation("a", user, null)) === false);
});
