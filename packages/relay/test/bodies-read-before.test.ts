import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import express, { type RequestHandler } from "express";
import { describe, expect, test } from "vitest";
import type { Relay } from "../src/index.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { post, posts } from "./event-relay.js";
import { keys, startRelay } from "./start-relay.js";

const authorization = keys.sdkKey;

const behind =
  (middleware: RequestHandler) =>
  (relay: Relay): RequestListener =>
    express().use(middleware, relay.handler);

describe("bodies that were read before", () => {
  const event = '[{"kind":"x","n":1}]';
  const sent = { authorization, "x-launchdarkly-event-schema": "4" };
  const json = { ...sent, "content-type": "application/json" };
  const packed = { ...json, "content-encoding": "gzip" };
  const parsers: Record<string, RequestHandler> = {
    "express.json()": express.json(),
    "express.json() for everything": express.json({ type: () => true, strict: false }),
    "express.text()": express.text({ type: () => true }),
    "express.raw()": express.raw({ type: () => true }),
    "express.raw() that leaves it packed": (req, _, next) => {
      const chunks: Buffer[] = [];
      req.on("data", (chunk) => chunks.push(chunk));
      req.on("end", () => {
        req.body = Buffer.concat(chunks);
        next();
      });
    },
  };
  for (const [name, parser] of Object.entries(parsers)) {
    test(`${name}: events, packed or not, arrive`, async () => {
      const clock = createManualClock();
      const relay = await startRelay({
        mount: behind(parser),
        options: { clock, events: { flushInterval: 1000 } },
      });
      expect(await post(relay, gzipSync(event), packed)).toMatchObject({ status: 202 });
      expect(await post(relay, event, json)).toMatchObject({ status: 202 });
      expect((await posts(relay, clock, 1))[0]!.body).toEqual([
        { kind: "x", n: 1 },
        { kind: "x", n: 1 },
      ]);
      expect(
        await relay.fetch("REPORT", `/sdk/evalx/${keys.envId}/context`, {
          headers: { "content-type": "application/json" },
          body: '{"key":"u"}',
        }),
      ).toMatchObject({ status: 200 });
    });

    test(`${name}: what nests too deep is refused`, async () => {
      const relay = await startRelay({ mount: behind(parser) });
      for (const levels of [3000, 20_000]) {
        const deep = "[".repeat(levels) + "]".repeat(levels);
        expect(await post(relay, deep, json), `${levels} levels`).toMatchObject({ status: 400 });
      }
    });
  }

  const consumers: Record<string, RequestHandler> = {
    "read to its end": (req, _, next) => void req.resume().on("end", next),
    "read to its end, with an empty property": (req, _, next) => {
      req.resume().on("end", () => {
        req.body = null;
        next();
      });
    },
    "read in part": (req, _, next) => {
      req.once("data", () => {
        req.pause();
        next();
      });
    },
  };
  for (const [name, consumer] of Object.entries(consumers)) {
    test(`${name}, and nothing is left: an answer, and a word to the host`, async () => {
      const errors: string[] = [];
      const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => errors.push(message) };
      const relay = await startRelay({ mount: behind(consumer), options: { logger } });
      expect(await post(relay, event, json)).toMatchObject({
        status: 500,
        body: '{"message":"the request body was read before it came to the relay"}',
      });
      const context = { headers: { "content-type": "application/json" }, body: '{"key":"u"}' };
      expect(await relay.fetch("REPORT", `/sdk/evalx/${keys.envId}/context`, context)).toMatchObject({
        status: 500,
      });
      expect(errors).toEqual([
        expect.stringContaining("mount the relay before what reads it"),
        expect.stringContaining("mount the relay before what reads it"),
      ]);
    });
  }
});
