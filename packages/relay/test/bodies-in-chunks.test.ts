import type { RequestListener } from "node:http";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Relay } from "../src/index.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { post, posts } from "./event-relay.js";
import { keys, startRelay } from "./start-relay.js";

const event = '[{"kind":"x","n":"é🚗"}]';
const context = `{"key":"${"u".repeat(20)}","name":"é🚗"}`;
const json = {
  authorization: keys.sdkKey,
  "x-launchdarkly-event-schema": "4",
  "content-type": "application/json",
};

/** Hands each request on as a stream of such chunks, as hosts do that have its body from elsewhere. */
const inChunks =
  (chunksOf: (body: Buffer) => readonly unknown[]) =>
  (relay: Relay): RequestListener =>
  async (req, res) => {
    const body = Buffer.concat(await req.toArray());
    const { method, url, headers } = req;
    relay.handler(Object.assign(Readable.from(chunksOf(body)), { method, url, headers }), res);
  };

/** Copies of parts of a body, none of which begins where its memory does. */
const parts = (body: Buffer): Uint8Array<ArrayBuffer>[] =>
  [body.subarray(0, 5), body.subarray(5, 8), body.subarray(8)].map((part) => {
    const memory = new Uint8Array(part.length + 7);
    memory.set(part, 3);
    return memory.subarray(3, 3 + part.length);
  });

function shared(part: Uint8Array): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(part.length);
  new Uint8Array(memory).set(part);
  return memory;
}

describe("a request that is a stream of the host", () => {
  test.each<[what: string, chunksOf: (body: Buffer) => readonly unknown[]]>([
    ["one buffer", (body) => [body]],
    ["buffers", (body) => parts(body).map((part) => Buffer.from(part))],
    ["one typed array", (body) => [new Uint8Array(body)]],
    ["typed arrays", parts],
    [
      "views",
      (body) =>
        parts(body).map(({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength)),
    ],
    ["memory", (body) => parts(body).map((part) => part.slice().buffer)],
    ["shared memory", (body) => parts(body).map(shared)],
    ["both kinds", (body) => [...parts(body.subarray(0, 9)), body.subarray(9)]],
  ])("arrives, packed or not, as %s", async (_, chunksOf) => {
    const clock = createManualClock();
    const relay = await startRelay({
      mount: inChunks(chunksOf),
      options: { clock, events: { flushInterval: 1000 } },
    });
    expect(await post(relay, gzipSync(event), { ...json, "content-encoding": "gzip" })).toMatchObject({
      status: 202,
    });
    expect(await post(relay, event, json)).toMatchObject({ status: 202 });
    expect((await posts(relay, clock, 1))[0]!.body).toEqual([...JSON.parse(event), ...JSON.parse(event)]);
    const asked = await relay.fetch("REPORT", `/sdk/evalx/${keys.envId}/context`, {
      headers: json,
      body: context,
    });
    expect(asked.status).toBe(200);
  });

  test.each(["stream", "body"])("is kept as it was, whatever becomes of the memory of a %s", async (kind) => {
    const clock = createManualClock();
    const memory = new TextEncoder().encode(event);
    const mount =
      (relay: Relay): RequestListener =>
      (req, res) => {
        const { method, url, headers } = req;
        const given = { method, url, headers };
        req.resume().on("end", () => {
          if (kind === "stream") relay.handler(Object.assign(Readable.from([memory]), given), res);
          else relay.handler(Object.assign(req, { body: memory }), res);
        });
      };
    const relay = await startRelay({ mount, options: { clock, events: { flushInterval: 1000 } } });
    expect(await post(relay, event, json)).toMatchObject({ status: 202 });
    memory.fill(0);
    structuredClone(memory, { transfer: [memory.buffer] });
    expect((await posts(relay, clock, 1))[0]!.body).toEqual(JSON.parse(event));
  });

  test("arrives as text", async () => {
    const relay = await startRelay({ mount: inChunks((body) => [...body.toString()]) });
    expect(await post(relay, event, json)).toMatchObject({ status: 202 });
    const asked = await relay.fetch("REPORT", `/sdk/evalx/${keys.envId}/context`, {
      headers: json,
      body: context,
    });
    expect(asked.status).toBe(200);
  });

  const elsewhere = new Uint8Array(8);
  structuredClone(elsewhere, { transfer: [elsewhere.buffer] });
  const others = [{}, 7, [1, 2], true, new Map(), new Date(0), Object.create(Buffer.prototype), elsewhere];
  test.each(others.map((chunk) => [Object.prototype.toString.call(chunk), chunk]))(
    "is refused where %s is a part of it",
    async (_, chunk) => {
      const relay = await startRelay({ mount: inChunks((body) => [body, chunk, body]) });
      expect(await post(relay, event, json)).toMatchObject({ status: 400 });
      const packed = { ...json, "content-encoding": "gzip" };
      expect(await post(relay, gzipSync(event), packed)).toMatchObject({ status: 400 });
      const asked = await relay.fetch("REPORT", `/sdk/evalx/${keys.envId}/context`, {
        headers: json,
        body: context,
      });
      expect(asked.status).toBe(400);
      const told = await relay.fetch("POST", "/diagnostic", { headers: json, body: '{"kind":"diagnostic"}' });
      expect(told.status).toBe(400);
    },
  );
});
