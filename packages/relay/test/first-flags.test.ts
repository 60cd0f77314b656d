import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseItem } from "@wye/flag-evaluator";
import { expect, onTestFinished, test } from "vitest";
import { createRelay } from "../src/index.js";
import type { SourceSink } from "../src/sources/source.js";
import { flag, keys } from "./start-relay.js";

const context = Buffer.from(JSON.stringify({ kind: "user", key: "userkey" })).toString("base64url");
const all = parseItem("flags", "all", JSON.stringify(flag("all", 1)));

test("who asks in the turn in which the first flags come is answered with these, or asked to try again", async () => {
  const sinks: SourceSink[] = [];
  const relay = createRelay({
    environments: {
      shop: {
        ...keys,
        source: ({ sink }) => {
          sinks.push(sink);
          return { close() {} };
        },
      },
    },
  });
  const server = createServer((req, res) => {
    relay.handler(req, res);
    for (const sink of sinks) void sink.apply({ extent: "full", items: [all] });
  }).listen(0, "127.0.0.1");
  onTestFinished(async () => {
    server.close();
    await relay.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/sdk/evalx/${keys.envId}/contexts/${context}`);
    return { status: answer.status, body: await answer.json() };
  };
  expect(await ask()).toEqual({ status: 503, body: { message: "Service not initialized" } });
  expect(await ask()).toMatchObject({ status: 200, body: { all: { version: 1 } } });
});
