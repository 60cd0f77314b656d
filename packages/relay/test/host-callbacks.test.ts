import { describe, expect, test } from "vitest";
import type { Change } from "../src/change.js";
import { type Clock, systemClock } from "../src/clock.js";
import { guardedClock } from "../src/host-callbacks.js";
import { silentLogger } from "../src/logger.js";
import type { EnvironmentOptions, RelayOptions } from "../src/options/options.js";
import { createFixedSource } from "../src/sources/fixed-source.js";
import type { SourceSink } from "../src/sources/source.js";
import { memoryStore } from "../src/stores/memory-store.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { flag, keys, startRelay } from "./start-relay.js";

const authorization = { headers: { authorization: keys.sdkKey } };

function failing(): never {
  throw new Error("the host's own trouble");
}

async function failingLater(): Promise<never> {
  return failing();
}

/** A clock that works, with something else in place of one of its functions. */
function clockWith(other: Partial<Record<keyof Clock, unknown>>): Clock {
  // What a program without types may pass.
  return { ...systemClock, ...other } as Clock;
}

const hosts: Record<string, RelayOptions> = {
  "a clock that throws": { clock: { now: failing, monotonic: failing, schedule: failing } },
  "a clock that gives rubbish": {
    clock: clockWith({ now: () => "noon", monotonic: () => Number.NaN, schedule: () => undefined }),
  },
  "a clock that runs backwards": { clock: clockWith({ monotonic: () => -performance.now() }) },
  "a clock whose functions give promises that fail": {
    clock: clockWith({ now: failingLater, monotonic: failingLater, schedule: failingLater }),
  },
  "a clock whose timers cannot be cancelled": {
    clock: clockWith({
      schedule(ms: number, run: () => void) {
        systemClock.schedule(ms, run);
        return failing;
      },
    }),
  },
  "a clock that runs what is scheduled twice": {
    clock: clockWith({
      schedule: (ms: number, run: () => void) =>
        systemClock.schedule(ms, () => {
          run();
          run();
        }),
    }),
  },

  "a logger that throws": { logger: { debug: failing, info: failing, warn: failing, error: failing } },
  "a logger that rejects": {
    logger: { debug: failingLater, info: failingLater, warn: failingLater, error: failingLater },
  },
  "a metrics sink that throws": { metrics: { count: failing, gauge: failing } },
  "a metrics sink that throws what has no text form": { metrics: { count: oddly, gauge: oddly } },
  "a metrics sink that rejects": { metrics: { count: failingLater, gauge: failingLater } },
  "a source of random numbers that throws": { random: failing },
  "a source of random numbers that gives rubbish": { random: () => Number.NaN },
  // What a program without types may pass.
  "a source of random numbers that rejects": { random: failingLater as unknown as () => number },
};

/** What modules of other languages throw: it has no text form. */
function oddly(): never {
  throw Object.create(null);
}

const fixed = createFixedSource('{"flags":{"own":{"key":"own","version":1}}}').source;
const storeThat = (does: () => never) => () => ({
  read: does,
  replace: does,
  upsert: does,
  close: does,
});

/** Factories that give something, which then misbehaves. */
const factories: Record<string, Partial<EnvironmentOptions>> = {
  "a store that throws": { store: storeThat(failing) },
  "a store that throws what has no text form": { store: storeThat(oddly) },
  "a store that gives rubbish": {
    // What a program without types may pass.
    store: () => ({ read: () => 5, replace: () => {}, upsert: () => null, close: () => {} }) as never,
  },
  "a source whose end fails": { source: () => ({ close: failing }) },
  "a source whose end fails later": { source: () => ({ close: failingLater as never }) },
  "a source that delivers rubbish and does not look at the outcome": {
    source({ sink }) {
      const rubbish: unknown[] = [
        null,
        5,
        {},
        { extent: "full", items: 5 },
        { extent: "half", items: [] },
        { extent: "full", items: [null] },
        { extent: "full", items: [{ kind: "flags", key: "a", version: 1, deleted: false, json: "{}" }] },
        { extent: "full", items: [], selector: "x" },
        { extent: "full", items: [], selector: { state: 5, version: 1 } },
      ];
      // What a program without types may pass.
      for (const change of rubbish) void sink.apply(change as Change);
      for (const kind of [undefined, null, "NOPE", oddly]) sink.interrupted(kind as never, kind as never);
      return { close() {} };
    },
  },
};

describe("nothing that a host makes for an environment can end the process or the relay", () => {
  for (const [name, own] of Object.entries(factories)) {
    test(name, async () => {
      const unhandled: unknown[] = [];
      const note = (error: unknown) => unhandled.push(error);
      process.on("uncaughtException", note).on("unhandledRejection", note);
      const clock = createManualClock();
      const relay = await startRelay({
        options: { clock, prometheus: true },
        data: { [keys.sdkKey]: { flags: { a: flag("a", 1) } } },
        environments: { prod: keys, odd: { sdkKey: "odd", source: fixed, ...own } },
        wait: false,
      });
      clock.advance(10_000);
      await relay.relay.ready();
      for (let n = 0; n < 3; n++) {
        clock.advance(1000);
        await new Promise(setImmediate);
      }
      expect(await relay.fetch("GET", "/sdk/flags", authorization)).toMatchObject({ status: 200 });
      const { status, body } = await relay.fetch("GET", "/metrics");
      expect(status).toBe(200);
      expect(body).not.toMatch(/kind="(?:NOPE|undefined)"/);
      expect(relay.relay.status().environments.odd?.dataStoreStatus.state).toMatch(/^(?:VALID|INTERRUPTED)$/);
      await relay.relay.environments.remove("odd");
      await relay.stop();
      await new Promise(setImmediate);
      process.off("uncaughtException", note).off("unhandledRejection", note);
      expect(unhandled).toEqual([]);
    });
  }

  test("what a source delivers and cannot be used is refused with an error of this package", async () => {
    let sink: SourceSink | undefined;
    await startRelay({
      environments: {
        odd: {
          sdkKey: "odd",
          source(context) {
            sink = context.sink;
            void sink.apply({ extent: "full", items: [] });
            return { close() {} };
          },
        },
      },
    });
    for (const change of [
      null,
      { extent: "full", items: [{}] },
      { extent: "full", items: [], selector: 5 },
    ]) {
      // What a program without types may pass.
      await expect(sink?.apply(change as unknown as Change)).rejects.toMatchObject({
        name: "RelayError",
        code: "malformed_data",
      });
    }
  });

  const ofPromises = "; it must not be a promise";
  const made: readonly (readonly [name: string, what: unknown, hint: string])[] = [
    ["null", null, ""],
    ["nothing", undefined, ""],
    ["an empty object", {}, ""],
    ["a promise", Promise.resolve(memoryStore()), ofPromises],
    ["a promise that fails", failingLater, ofPromises],
  ];
  for (const [name, what, hint] of made) {
    test(`a factory that gives ${name} is refused with words`, async () => {
      const unhandled: unknown[] = [];
      const note = (error: unknown) => unhandled.push(error);
      process.on("unhandledRejection", note);
      const { relay } = await startRelay();
      const factory = (): never => (typeof what === "function" ? what() : what) as never;
      for (const option of ["store", "source", "bigSegments"]) {
        await expect(
          relay.environments.add("odd", { sdkKey: "odd", source: fixed, [option]: factory }),
        ).rejects.toThrow(
          new RegExp(`must be an object with the methods .*close; missing: .*close${hint}$`, "m"),
        );
        expect(relay.environments.names()).toEqual(["prod"]);
      }
      await new Promise(setImmediate);
      process.off("unhandledRejection", note);
      expect(unhandled).toEqual([]);
    });
  }

  test("what a store says about itself does not stand in for its state", async () => {
    const about = { database: "redis", state: "FINE", stateSince: 1 };
    const { relay } = await startRelay({
      environments: {
        odd: { sdkKey: "odd", source: fixed, store: () => ({ ...memoryStore(), about }) as never },
      },
    });
    expect(relay.status().environments.odd?.dataStoreStatus).toMatchObject({
      database: "redis",
      state: "VALID",
    });
  });
});

describe("nothing that a host hands in can end the process or a request", () => {
  for (const [name, options] of Object.entries(hosts)) {
    test(name, async () => {
      const unhandled: unknown[] = [];
      const note = (error: unknown) => unhandled.push(error);
      process.on("uncaughtException", note).on("unhandledRejection", note);
      const clock = createManualClock();
      // A manual clock has to be moved; those of the hosts move by themselves.
      const maxConnectionTime = options.clock === undefined ? "1m" : "1s";
      const relay = await startRelay({
        options: { clock, streams: { maxConnectionTime }, ...options },
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
  const relay = await startRelay({
    options: { logger, metrics: { count: failing, gauge: failing, observe: failing } },
  });
  for (let n = 0; n < 5; n++) await relay.fetch("GET", "/sdk/flags", authorization);
  expect(errors).toEqual(["the metrics sink failed, which is reported once: the host's own trouble"]);
});

describe("a clock that fails", () => {
  test("is reported, once", async () => {
    const errors: string[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => errors.push(message) };
    const clock = { now: failing, monotonic: failing, schedule: failing };
    const relay = await startRelay({ options: { logger, clock } });
    for (let n = 0; n < 5; n++) await relay.fetch("GET", "/sdk/flags", authorization);
    expect(errors).toEqual(["the clock failed, which is reported once: the host's own trouble"]);
  });

  test("goes on where it stopped, and never back", () => {
    let time = 500;
    let fails = false;
    const clock = guardedClock(clockWith({ monotonic: () => (fails ? failing() : time) }), silentLogger);
    expect(clock.monotonic()).toBe(500);
    time = 400;
    expect(clock.monotonic()).toBe(500);
    fails = true;
    const later = clock.monotonic();
    expect(later).toBeGreaterThanOrEqual(500);
    expect(later).toBeLessThan(500 + 60_000);
    fails = false;
    time = 501 + 60_000;
    expect(clock.monotonic()).toBe(time);
  });

  test("runs nothing at once, nothing twice, and nothing that was cancelled", async () => {
    const runs: string[] = [];
    const kept: (() => void)[] = [];
    const clock = guardedClock(
      clockWith({
        schedule: (_: number, run: () => void) => {
          run();
          kept.push(run);
          return () => {};
        },
      }),
      silentLogger,
    );
    clock.schedule(1, () => runs.push("first"));
    const cancel = clock.schedule(1, () => runs.push("cancelled"));
    expect(runs).toEqual([]);
    cancel();
    await new Promise(setImmediate);
    for (const run of kept) run();
    expect(runs).toEqual(["first"]);
  });
});

test("a response that throws whatever is sent harms no other request", async () => {
  const errors: string[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => errors.push(message) };
  const relay = await startRelay({
    options: { logger },
    mount: (own) => (req, res) => {
      if (req.headers["x-odd"] === "1") res.writeHead = failing;
      own.handler(req, res);
    },
  });
  const odd = { "x-odd": "1" };
  for (const [method, path] of [
    ["GET", "/nope"],
    ["GET", "/sdk/flags"],
    ["POST", "/sdk/flags"],
    ["GET", "/status"],
    ["GET", "/a//b"],
    ["GET", "/%zz"],
  ] as const) {
    const errorsBefore = errors.length;
    await expect(relay.fetch(method, path, { headers: odd }), path).rejects.toThrow();
    expect(errors.slice(errorsBefore)).toEqual([expect.stringContaining("the host's own trouble")]);
    expect(await relay.fetch("GET", "/sdk/flags", authorization)).toMatchObject({ status: 200 });
  }
});

test("the log does not quote what clients send as events", async () => {
  const lines: string[] = [];
  const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => lines.push(message) };
  const clock = createManualClock();
  const relay = await startRelay({ options: { logger, clock } });
  for (const body of ["[\n\u001b x]", "{\n}"]) {
    // What visitors can cause is told once a minute.
    clock.advance(60_000);
    expect(await relay.fetch("POST", "/bulk", { ...authorization, body })).toMatchObject({ status: 202 });
  }
  expect(lines).toEqual([
    "[prod] events: the body is not JSON at byte 2",
    "[prod] events: the body is not an array",
  ]);
});
