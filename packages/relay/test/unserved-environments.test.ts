import { describe, expect, test, vi } from "vitest";
import { archiveOf } from "../../../scripts/make-archive.js";
import type { RelayError } from "../src/error.js";
import type { AutoConfigOptions, RelayOptions } from "../src/options/options.js";
import type { FakeConfiguration } from "../src/testing/fake-auto-config.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";
import {
  type AutoConfigured,
  announced,
  environmentsOf,
  startAutoConfigured,
} from "./start-auto-configured.js";
import { startOffline } from "./start-offline.js";
import { flag, type Running } from "./start-relay.js";

const until = (look: () => unknown) => vi.waitFor(look, { timeout: 120_000, interval: 5 });
const alice = Buffer.from('{"kind":"user","key":"alice"}').toString("base64url");

interface Watched extends AutoConfigured {
  readonly clock: ManualClock;
  readonly errors: RelayError[];
  readonly log: string[];
}

/** A relay whose errors are kept, on a clock that stands still. */
async function start(
  configuration: FakeConfiguration,
  autoConfig: Partial<AutoConfigOptions> = {},
  options: RelayOptions = {},
): Promise<Watched> {
  const clock = createManualClock();
  const errors: RelayError[] = [];
  const log: string[] = [];
  const keep = (line: string) => void log.push(line);
  const running = await startAutoConfigured(configuration, {
    options: {
      clock,
      random: () => 0,
      logger: { debug() {}, info: keep, warn() {}, error() {} },
      ...options,
    },
    autoConfig: { onError: (error) => errors.push(error), ...autoConfig },
  });
  return { ...running, clock, errors, log };
}

/** Stores that cannot be made for some environments; counts the attempts. */
function stores(...broken: readonly string[]) {
  const refusing = new Set(broken);
  const attempts: string[] = [];
  const store = ({ environment }: { readonly environment: string }) => {
    attempts.push(environment);
    if (refusing.has(environment)) throw new Error("no token: hunter2");
    return {
      read: async () => undefined,
      replace: async () => {},
      upsert: async () => [],
      close: async () => {},
    };
  };
  return { attempts, refusing, options: { store } };
}

/** How SDKs with the SDK key, the mobile key and the ID of an environment are answered. */
async function statusesOf(relay: Running, n: number): Promise<number[]> {
  const get = async (path: string, authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization };
    return (await relay.fetch("GET", path, { headers })).status;
  };
  return [
    await get("/sdk/flags", `sdk-${n}`),
    await get(`/msdk/evalx/contexts/${alice}`, `mob-${n}`),
    await get(`/sdk/evalx/env-${n}/contexts/${alice}`),
  ];
}

describe("an environment that upstream announces and that cannot be served", () => {
  test("stands in the status, holds back readiness, and its SDKs are to try again", async () => {
    const relay = await start(
      { environments: environmentsOf(announced(1), announced(2)) },
      stores("env-2").options,
    );
    const status = relay.relay.status();
    expect(status.status).toBe("degraded");
    expect(status.environments["env-1"]).toMatchObject({ status: "connected" });
    expect(status.environments["env-1"]).not.toHaveProperty("problem");
    expect(status.environments["env-2"]).toEqual({
      sdkKey: "sdk-*",
      envId: "env-2",
      envKey: "key-2",
      envName: "Name 2",
      projKey: "shop",
      projName: "Shop",
      mobileKey: "mob-*",
      status: "disconnected",
      problem: "a function of the host has thrown; the log has what",
      connectionStatus: {
        state: "INITIALIZING",
        stateSince: relay.clock.now(),
        lastError: { kind: "UNKNOWN", time: relay.clock.now() },
      },
      dataStoreStatus: { state: "INITIALIZING", stateSince: relay.clock.now() },
    });
    expect((await relay.fetch("GET", "/status")).body).toBe(JSON.stringify(status));
    expect((await relay.fetch("GET", "/ready")).status).toBe(503);
    expect(await statusesOf(relay, 1)).toEqual([200, 200, 200]);
    expect(await statusesOf(relay, 2)).toEqual([503, 503, 503]);
    expect(await statusesOf(relay, 3)).toEqual([401, 401, 404]);
    const page = await relay.fetch("GET", "/ping/env-2", { headers: { origin: "https://a.example" } });
    expect(page).toMatchObject({
      status: 503,
      body: expect.stringContaining("cannot serve the environment"),
    });
    expect(page.headers["access-control-allow-origin"]).toBe("https://a.example");
    expect((await relay.fetch("OPTIONS", "/ping/env-2")).status).toBe(200);
    expect(relay.errors.map(({ message }) => message)).toEqual([
      'environment "env-2" cannot be served as it should be: no token: hunter2',
    ]);
  });

  for (const [ready, expected] of [
    ["any", 200],
    [["env-1"], 200],
    [["env-1", "env-2"], 503],
  ] as const)
    test(`holds back who is ready with ${JSON.stringify(ready)} only if it is named`, async () => {
      const environments = environmentsOf(announced(1), announced(2));
      const relay = await start({ environments }, stores("env-2").options, { ready });
      expect((await relay.fetch("GET", "/ready")).status).toBe(expected);
    });

  test("is tried again, ever more slowly, until it can be served", async () => {
    const made = stores("env-2");
    const relay = await start({ environments: environmentsOf(announced(1), announced(2)) }, made.options);
    const attempts = () => made.attempts.filter((name) => name === "env-2").length;
    expect(attempts()).toBe(1);
    for (const [at, pauseMs] of [
      10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000, 600_000,
    ].entries()) {
      relay.clock.advance(pauseMs - 1);
      expect(attempts(), `just before ${pauseMs}`).toBe(at + 1);
      relay.clock.advance(1);
      expect(attempts(), `after ${pauseMs}`).toBe(at + 2);
    }
    expect(relay.errors).toHaveLength(1);
    made.refusing.clear();
    relay.clock.advance(600_000);
    expect(relay.log).toContain('environment "env-2" is served as it should be');
    await until(async () => expect(await statusesOf(relay, 2)).toEqual([200, 200, 200]));
    expect(relay.relay.status().status).toBe("healthy");
    expect(relay.relay.status().environments["env-2"]).not.toHaveProperty("problem");
    expect((await relay.fetch("GET", "/ready")).status).toBe(200);
    const before = attempts();
    relay.clock.advance(3_600_000);
    expect(attempts()).toBe(before);
  });

  test("is tried at once when it changes, and then from the shortest pause on", async () => {
    const made = stores("env-2");
    const relay = await start({ environments: environmentsOf(announced(2)) }, made.options);
    relay.clock.advance(10_000);
    relay.clock.advance(20_000);
    const before = made.attempts.length;
    relay.configuration.patch("environments", "env-2", announced(2, { version: 2, mobKey: "mob-3" }));
    await until(() => expect(made.attempts).toHaveLength(before + 1));
    expect(await statusesOf(relay, 2)).toEqual([503, 401, 503]);
    made.refusing.clear();
    relay.clock.advance(10_000);
    await until(async () => expect(await statusesOf(relay, 2)).toEqual([200, 401, 200]));
  });

  test("is forgotten when upstream says that it is gone", async () => {
    const made = stores("env-2");
    const relay = await start({ environments: environmentsOf(announced(1), announced(2)) }, made.options);
    relay.configuration.delete("environments", "env-2", 2);
    await until(() => expect(Object.keys(relay.relay.status().environments)).toEqual(["env-1"]));
    expect(relay.relay.status().status).toBe("healthy");
    expect(await statusesOf(relay, 2)).toEqual([401, 401, 404]);
    const before = made.attempts.length;
    relay.clock.advance(3_600_000);
    expect(made.attempts).toHaveLength(before);
  });

  test("is not tried any more when the relay is closed", async () => {
    const made = stores("env-1");
    const relay = await start({ environments: environmentsOf(announced(1)) }, made.options);
    const before = made.attempts.length;
    await relay.relay.close({ within: 0 });
    expect(relay.clock.pending).toBe(0);
    relay.clock.advance(3_600_000);
    expect(made.attempts).toHaveLength(before);
  });

  test("gets a key that another one had until it expired, without a change", async () => {
    const clock = createManualClock();
    const expiring = { value: "sdk-3", timestamp: clock.now() + 15_000 };
    const relay = await start(
      {
        environments: environmentsOf(
          announced(1, { sdkKey: { value: "sdk-1", expiring } }),
          announced(2, { sdkKey: { value: "sdk-3" } }),
        ),
      },
      {},
      { clock },
    );
    expect(relay.relay.status().environments["env-2"]).toMatchObject({
      status: "disconnected",
      problem: 'environment "env-1" has the same sdkKey',
    });
    expect(await statusesOf(relay, 2)).toEqual([401, 503, 503]);
    clock.advance(29_999);
    expect(await relay.poll("sdk-3")).toBe(503);
    clock.advance(1);
    await until(async () => expect(await relay.poll("sdk-3")).toBe(3));
    expect(relay.relay.status().status).toBe("healthy");
  });

  test("one of a full set that is malformed: by its ID, and by the keys that can be read", async () => {
    const broken = announced(2, { version: "x", projName: 5 });
    const relay = await start({ environments: { ...environmentsOf(announced(1), broken), "env-3": null } });
    expect(relay.relay.status()).toMatchObject({
      status: "degraded",
      environments: {
        "env-1": { status: "connected" },
        "env-2": {
          sdkKey: "sdk-*",
          envName: "Name 2",
          status: "disconnected",
          problem: '"version" is not a whole number',
          connectionStatus: { lastError: { kind: "INVALID_DATA" } },
        },
        "env-3": { sdkKey: "", status: "disconnected", problem: "the environment is not an object" },
      },
    });
    expect(await statusesOf(relay, 2)).toEqual([503, 503, 503]);
    expect(await statusesOf(relay, 3)).toEqual([401, 401, 503]);
    relay.configuration.put({ environments: environmentsOf(announced(1)) });
    await until(() => expect(relay.relay.status().status).toBe("healthy"));
    expect(await statusesOf(relay, 2)).toEqual([401, 401, 404]);
  });

  test("a malformed one: a key that expires is one of its keys until then", async () => {
    const expiring = { value: "sdk-3", timestamp: createManualClock().now() + 5000 };
    const broken = announced(2, { defaultTtl: "soon", sdkKey: { value: "sdk-2", expiring } });
    const relay = await start({ environments: environmentsOf(broken) });
    expect(await Promise.all(["sdk-2", "sdk-3", "sdk-4"].map((key) => relay.poll(key)))).toEqual([
      503, 503, 401,
    ]);
    relay.clock.advance(5000);
    expect(await Promise.all(["sdk-2", "sdk-3"].map((key) => relay.poll(key)))).toEqual([503, 401]);
  });

  test("what comes late about a malformed one changes nothing", async () => {
    const relay = await start({ environments: environmentsOf(announced(1), announced(2)) });
    const broken = announced(2, { version: 5, defaultTtl: "x", mobKey: "mob-9" });
    relay.configuration.put({
      environments: environmentsOf(announced(1), broken, announced(3, { version: "x" })),
    });
    await until(() => expect(relay.relay.status().environments["env-3"]).toBeDefined());
    relay.configuration.delete("environments", "env-2", 0);
    relay.configuration.delete("environments", "env-2", 5);
    relay.configuration.patch("environments", "env-2", announced(2, { version: 4, envName: "late" }));
    // When this shows, everything before it has been dealt with.
    relay.configuration.patch("environments", "env-1", announced(1, { version: 2, envName: "barrier" }));
    await until(() => expect(relay.relay.status().environments["env-1"]?.envName).toBe("barrier"));
    expect(relay.relay.status().environments["env-2"]).toMatchObject({
      envName: "Name 2",
      status: "connected",
      problem: '"defaultTtl" is not a whole number',
    });
    relay.configuration.delete("environments", "env-3", 1);
    relay.configuration.delete("environments", "env-2", 6);
    await until(() => expect(Object.keys(relay.relay.status().environments)).toEqual(["env-1"]));
  });

  for (const [name, change] of [
    ["mended", (relay: Watched) => relay.configuration.patch("environments", "env-2", announced(2))],
    ["deleted", (relay: Watched) => relay.configuration.delete("environments", "env-2", 2)],
  ] as const)
    test(`a malformed one is ${name} by a message of its own`, async () => {
      const broken = announced(2, { secureMode: "yes" });
      const relay = await start({ environments: environmentsOf(announced(1), broken) });
      expect(relay.relay.status().status).toBe("degraded");
      change(relay);
      await until(() => expect(relay.relay.status().status).toBe("healthy"));
    });
});

test("messages about others do not try what cannot be served", async () => {
  const ids = Array.from({ length: 12 }, (_, n) => n).filter((n) => n > 1);
  const made = stores(...ids.map((n) => `env-${n}`));
  const all = [announced(1), ...ids.map((n) => announced(n))];
  const relay = await start({ environments: environmentsOf(...all) }, made.options);
  const before = made.attempts.length;
  const message = (version: number) => {
    const data = announced(1, { version, envName: `version ${version}` });
    return `event: patch\ndata: ${JSON.stringify({ path: "/environments/env-1", data })}\n\n`;
  };
  relay.configuration.write(Array.from({ length: 200 }, (_, n) => message(n + 2)).join(""));
  await until(() => expect(relay.relay.status().environments["env-1"]?.envName).toBe("version 201"));
  expect(made.attempts).toHaveLength(before);
});

describe("an environment that runs and cannot be changed as upstream announces", () => {
  test("says why, and gets what nothing stands against", async () => {
    const relay = await start({ environments: environmentsOf(announced(1), announced(2)) });
    const sdkKey = { value: "sdk-3" };
    relay.configuration.patch("environments", "env-2", announced(2, { version: 2, mobKey: "mob-1", sdkKey }));
    await until(() => expect(relay.relay.status().status).toBe("degraded"));
    expect(relay.relay.status().environments["env-2"]).toMatchObject({
      status: "connected",
      problem: 'environment "env-1" has the same mobileKey',
    });
    expect((await relay.fetch("GET", "/ready")).status).toBe(200);
    expect(await statusesOf(relay, 2)).toEqual([401, 200, 200]);
    await until(async () => expect(await relay.poll("sdk-3")).toBe(3));
    relay.configuration.patch("environments", "env-1", announced(1, { version: 2, mobKey: "mob-4" }));
    await until(() => expect(relay.relay.status().status).toBe("healthy"));
    expect(await relay.poll("sdk-3")).toBe(3);
    expect(await statusesOf(relay, 2)).toEqual([401, 401, 200]);
  });

  for (const [name, change, made] of [
    ["another one has its mobile key", { mobKey: "mob-1" }, stores()],
    ["the rest of its announcement is malformed", { defaultTtl: "soon" }, stores()],
    ["the store of a new filter cannot be made", {}, stores("env-2/web")],
  ] as const)
    test(`loses a replaced key at its moment although ${name}`, async () => {
      const relay = await start({ environments: environmentsOf(announced(1), announced(2)) }, made.options);
      const sdkKey = {
        value: "sdk-3",
        expiring: { value: "sdk-2", timestamp: relay.clock.now() + 5000 },
      };
      const next = announced(2, { version: 2, sdkKey, ...change });
      relay.configuration.put({
        environments: environmentsOf(announced(1), next),
        filters: { f: { projKey: "shop", key: "web", version: 1 } },
      });
      await until(async () => expect(await relay.poll("sdk-3")).toBe(3));
      expect(relay.relay.status().environments["env-2"]).toMatchObject({
        status: "connected",
        problem: expect.any(String),
      });
      expect(await statusesOf(relay, 2)).toEqual([200, 200, 200]);
      relay.clock.advance(5000);
      expect(await statusesOf(relay, 2)).toEqual([401, 200, 200]);
      expect(await relay.poll("sdk-3")).toBe(3);
    });

  test("keeps its SDK key, when another one has the new one, until the moment that is named for its end", async () => {
    const relay = await start({ environments: environmentsOf(announced(1), announced(2)) });
    const timestamp = relay.clock.now() + 5000;
    const sdkKey = { value: "sdk-1", expiring: { value: "sdk-2", timestamp } };
    relay.configuration.patch("environments", "env-2", announced(2, { version: 2, sdkKey, mobKey: "mob-9" }));
    await until(() => expect(relay.relay.status().status).toBe("degraded"));
    expect(await statusesOf(relay, 2)).toEqual([200, 401, 200]);
    relay.clock.advance(4999);
    expect(await statusesOf(relay, 2)).toEqual([200, 401, 200]);
    relay.clock.advance(1);
    expect(await statusesOf(relay, 2)).toEqual([401, 401, 503]);
    expect(relay.relay.status().environments["env-2"]).toMatchObject({
      status: "disconnected",
      problem: 'environment "env-1" has the same sdkKey',
    });
    relay.configuration.patch(
      "environments",
      "env-1",
      announced(1, { version: 2, sdkKey: { value: "sdk-3" } }),
    );
    await until(async () => expect(await statusesOf(relay, 2)).toEqual([401, 401, 200]));
    expect(relay.relay.status().status).toBe("healthy");
  });

  test("requests for a payload filter whose store cannot be made are to be tried again", async () => {
    const made = stores("env-1/web");
    const relay = await start({ environments: environmentsOf(announced(1)) }, made.options);
    relay.upstream.environment("sdk-1", "web").setData({ flags: { a: flag("a", 50) } });
    relay.configuration.patch("filters", "f", { projKey: "shop", key: "web", version: 1 });
    await until(() => expect(relay.relay.status().status).toBe("degraded"));
    expect(await relay.poll("sdk-1", "web")).toBe(503);
    expect(await relay.poll("sdk-1", "other")).toBe(404);
    expect(await relay.poll("sdk-1")).toBe(1);
    made.refusing.clear();
    relay.clock.advance(10_000);
    await until(async () => expect(await relay.poll("sdk-1", "web")).toBe(50));
    expect(relay.relay.status().status).toBe("healthy");
  });

  test("when its announcement is malformed it goes on, and the next good one clears it, though it is the same", async () => {
    const relay = await start({ environments: environmentsOf(announced(1)) });
    relay.configuration.put({ environments: environmentsOf(announced(1, { version: 2, secureMode: "x" })) });
    await until(() => expect(relay.relay.status().status).toBe("degraded"));
    expect(relay.relay.status().environments["env-1"]).toMatchObject({
      status: "connected",
      problem: '"secureMode" is not true or false',
    });
    expect(await statusesOf(relay, 1)).toEqual([200, 200, 200]);
    relay.configuration.put({ environments: environmentsOf(announced(1)) });
    await until(() => expect(relay.relay.status().status).toBe("healthy"));
  });
});

describe("an environment of an archive that cannot be served", () => {
  const data = { flags: { a: flag("a", 1) }, segments: {} };

  test("stands in the status until the file is mended", async () => {
    const relay = await startOffline(
      "a.tar.gz",
      archiveOf(
        { env: announced(1), data },
        { env: announced(2, { mobKey: "mob-1" }), data },
        { env: announced(3, { sdkKey: {} }), data },
        { env: announced(4), data: '{"flags":[]}' },
        { env: announced(5, { version: "x" }), data },
      ),
    );
    expect(relay.relay.status()).toMatchObject({
      status: "degraded",
      environments: {
        "env-1": { status: "connected" },
        "env-2": { status: "disconnected", problem: 'environment "env-1" has the same mobileKey' },
        "env-3": { status: "disconnected", problem: expect.stringContaining("sdkKey must not be empty") },
        "env-4": { status: "disconnected", problem: expect.stringContaining("flags") },
        "env-5": { status: "disconnected", problem: '"version" is not a whole number' },
      },
    });
    expect((await relay.fetch("GET", "/ready")).status).toBe(503);
    expect(await statusesOf(relay, 1)).toEqual([200, 200, 200]);
    expect(await statusesOf(relay, 2)).toEqual([503, 401, 503]);
    expect(await statusesOf(relay, 3)).toEqual([401, 503, 503]);
    for (const n of [4, 5]) expect(await statusesOf(relay, n)).toEqual([503, 503, 503]);
    expect(await statusesOf(relay, 6)).toEqual([401, 401, 404]);
    await relay.replace(archiveOf({ env: announced(1), data }, { env: announced(4, { version: 2 }), data }));
    await relay.until(() => relay.relay.status().status === "healthy");
    expect(await statusesOf(relay, 4)).toEqual([200, 200, 200]);
    expect(await statusesOf(relay, 2)).toEqual([401, 401, 404]);
  });

  for (const [name, second] of [
    ["its metadata", { env: announced(1, { sdkKey: { value: "sdk-9" }, defaultTtl: "soon" }), data }],
    ["its flags", { env: announced(1, { sdkKey: { value: "sdk-9" } }), data: '{"flags":[]}' }],
  ] as const)
    test(`goes on with what it had, but for its keys, when ${name} cannot be used`, async () => {
      const relay = await startOffline("a.tar.gz", archiveOf({ env: announced(1), data }));
      await relay.replace(archiveOf(second));
      await relay.until(() => relay.relay.status().status === "degraded");
      expect(await relay.poll("sdk-9")).toEqual({ a: 1 });
      expect(await statusesOf(relay, 1)).toEqual([401, 200, 200]);
    });

  test("is tried again with the flags that the file has then", async () => {
    const made = stores("env-1");
    const log: string[] = [];
    const logger = { debug() {}, info: (line: string) => void log.push(line), warn() {}, error() {} };
    const archive = archiveOf({ env: announced(1), data });
    const relay = await startOffline("a.tar.gz", archive, made.options, { logger, random: () => 0 });
    expect(await relay.poll("sdk-1")).toBe(503);
    const next = { flags: { a: flag("a", 7) }, segments: {} };
    await relay.replace(archiveOf({ env: announced(1), data: next }));
    await relay.until(() => log.some((line) => line.includes("read anew")));
    made.refusing.clear();
    await relay.until(async () => (await relay.poll("sdk-1")) !== 503);
    expect(await relay.poll("sdk-1")).toEqual({ a: 7 });
  });
});
