import { describe, expect, test } from "vitest";
import type { RelayOptions } from "../src/options/options.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { flag, keys, startRelay } from "./start-relay.js";

const authorization = { headers: { authorization: keys.sdkKey } };

function failing(): never {
  throw new Error("the host's own trouble");
}

async function failingLater(): Promise<never> {
  return failing();
}

const hosts: Record<string, RelayOptions> = {
  "a logger that throws": { logger: { debug: failing, info: failing, warn: failing, error: failing } },
  "a logger that rejects": {
    logger: { debug: failingLater, info: failingLater, warn: failingLater, error: failingLater },
  },
  "a metrics sink that throws": { metrics: { count: failing, gauge: failing } },
  "a metrics sink that rejects": { metrics: { count: failingLater, gauge: failingLater } },
  "a source of random numbers that throws": { random: failing },
  "a source of random numbers that gives rubbish": { random: () => Number.NaN },
};

describe("nothing that a host hands in can end the process or a request", () => {
  for (const [name, options] of Object.entries(hosts)) {
    test(name, async () => {
      const unhandled: unknown[] = [];
      const note = (error: unknown) => unhandled.push(error);
      process.on("uncaughtException", note).on("unhandledRejection", note);
      const clock = createManualClock();
      const relay = await startRelay({
        options: { clock, streams: { maxConnectionTime: "1m" }, ...options },
      });
      const stream = await relay.open("/all", authorization);
      expect((await stream.next()).event).toBe("put");
      relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
      expect((await stream.next()).event).toBe("patch");
      for (const body of ["[1]", "not JSON\nbut two lines"]) {
        expect(await relay.fetch("POST", "/bulk", { ...authorization, body })).toMatchObject({ status: 202 });
      }
      expect(await relay.fetch("GET", "/status")).toMatchObject({ status: 200 });
      clock.advance(60_000);
      await stream.ended;
      await relay.stop();
      process.off("uncaughtException", note).off("unhandledRejection", note);
      expect(unhandled).toEqual([]);
    });
  }
});

test("a sink that fails is reported, once", async () => {
  const errors: string[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => errors.push(message) };
  const relay = await startRelay({ options: { logger, metrics: { count: failing, gauge: failing } } });
  for (let n = 0; n < 5; n++) await relay.fetch("GET", "/sdk/flags", authorization);
  expect(errors).toEqual(["the metrics sink failed, which is reported once: Error: the host's own trouble"]);
});

test("the log does not quote what clients send as events", async () => {
  const lines: string[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => lines.push(message) };
  const relay = await startRelay({ options: { logger } });
  for (const body of ["[\n\u001b x]", "{\n}"]) {
    expect(await relay.fetch("POST", "/bulk", { ...authorization, body })).toMatchObject({ status: 202 });
  }
  expect(lines).toEqual([
    "[prod] events: the body is not JSON at byte 2",
    "[prod] events: the body is not an array",
  ]);
});
