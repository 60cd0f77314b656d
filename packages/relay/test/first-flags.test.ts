import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Item, parseItem } from "@wye/flag-evaluator";
import { expect, onTestFinished, test } from "vitest";
import { createRelay } from "../src/index.js";
import type { SourceFactory } from "../src/sources/source.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { flag, keys } from "./start-relay.js";
import { createTestSource } from "./test-source.js";

const context = Buffer.from(JSON.stringify({ kind: "user", key: "userkey" })).toString("base64url");
const all = parseItem("flags", "all", JSON.stringify(flag("all", 1)));

test("who asks in the turn in which the first flags come is answered with these, or asked to try again", async () => {
  const upstream = createTestSource();
  const relay = createRelay({
    initTimeout: "1ms",
    environments: { shop: { ...keys, source: upstream.source } },
  });
  const server = createServer((req, res) => {
    relay.handler(req, res);
    void upstream.sink.apply({ extent: "full", items: [all] });
  }).listen(0, "127.0.0.1");
  onTestFinished(async () => {
    server.close();
    await relay.close();
  });
  await once(server, "listening");
  // Later than it should have been: before that nothing is looked at.
  await relay.ready();
  const { port } = server.address() as AddressInfo;
  const ask = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/sdk/evalx/${keys.envId}/contexts/${context}`);
    return { status: answer.status, body: await answer.text() };
  };
  expect(await ask()).toEqual({ status: 503, body: expect.stringContaining("Service not initialized") });
  expect(await ask()).toEqual({ status: 200, body: expect.stringContaining("all") });
});

test("an environment without data within initTimeout is told of, and nobody waits for it any longer", async () => {
  const clock = createManualClock();
  const lines: string[] = [];
  const source = (items: readonly Item[] | undefined): SourceFactory => {
    return ({ sink }) => {
      if (items !== undefined) void sink.apply({ extent: "full", items });
      return { close() {} };
    };
  };
  const relay = createRelay({
    clock,
    logger: { debug() {}, info() {}, warn() {}, error: (line) => void lines.push(line) },
    initTimeout: "10s",
    environments: {
      early: { sdkKey: "sdk-early", source: source([all]) },
      late: { sdkKey: "sdk-late", source: source(undefined) },
    },
  });
  onTestFinished(() => relay.close());
  let isReady = false;
  const ready = relay.ready().then(() => {
    isReady = true;
  });
  clock.advance(9999);
  await new Promise(setImmediate);
  expect([isReady, lines]).toEqual([false, []]);
  clock.advance(1);
  await ready;
  expect(lines).toEqual(["[late] no data from upstream within initTimeout; still trying"]);
});
