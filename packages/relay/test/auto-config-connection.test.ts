import { describe, expect, test, vi } from "vitest";
import type { RelayError } from "../src/error.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { announced, environmentsOf, startAutoConfigured } from "./start-auto-configured.js";

const until = (look: () => unknown) => vi.waitFor(look, { timeout: 120_000, interval: 5 });

describe("the connection", () => {
  for (const status of [401, 403]) {
    test(`${status} is told through ready, the status and onError, and asked again later`, async () => {
      const errors: RelayError[] = [];
      const clock = createManualClock();
      const relay = await startAutoConfigured(undefined, {
        options: { clock, random: () => 0 },
        autoConfig: { onError: (error) => errors.push(error) },
        prepare: (upstream) => upstream.autoConfig("rel-1").answer(status),
      });
      const answer = await relay.relay.ready();
      expect(answer).toMatchObject({
        status: "degraded",
        configurationStatus: { state: "OFF", lastError: { kind: "ERROR_RESPONSE" } },
      });
      expect(errors).toMatchObject([{ name: "RelayError", code: "refused" }]);
      expect(errors[0]?.message).toContain(`upstream answered ${status}`);
      expect(await relay.poll("sdk-1")).toBe(503);
      relay.configuration.setConfiguration({ environments: environmentsOf(announced(1)) });
      relay.configuration.answer("data");
      clock.advance(10_000);
      await until(async () => expect(await relay.poll("sdk-1")).toBe(1));
      expect(relay.relay.status()).toMatchObject({
        status: "healthy",
        configurationStatus: { state: "VALID", lastError: { kind: "ERROR_RESPONSE" } },
      });
    });
  }

  test("a key that is refused later leaves the environments as they are", async () => {
    const clock = createManualClock();
    const relay = await startAutoConfigured(
      { environments: environmentsOf(announced(1)) },
      { options: { clock } },
    );
    relay.configuration.answer(401);
    relay.configuration.drop();
    await until(() => {
      clock.advance(1000);
      expect(relay.relay.status().configurationStatus?.state).toBe("OFF");
    });
    expect(await relay.poll("sdk-1")).toBe(1);
    expect(relay.relay.status().status).toBe("healthy");
  });

  for (const status of [404, 429, 500, 503]) {
    test(`${status} is a failure that passes`, async () => {
      const clock = createManualClock();
      const relay = await startAutoConfigured(undefined, {
        options: { clock },
        prepare(upstream) {
          upstream.autoConfig("rel-1").answer(status);
          upstream.autoConfig("rel-1").setConfiguration({ environments: environmentsOf(announced(1)) });
        },
      });
      await relay.configuration.opened();
      relay.configuration.answer("data");
      await until(async () => {
        clock.advance(1000);
        expect(await relay.poll("sdk-1")).toBe(1);
      });
    });
  }
});

describe("messages", () => {
  async function connected(first = environmentsOf(announced(1))) {
    const errors: RelayError[] = [];
    const clock = createManualClock();
    const relay = await startAutoConfigured(
      { environments: first },
      { options: { clock, random: () => 0 }, autoConfig: { onError: (error) => errors.push(error) } },
    );
    /** Waits until the connection has ended, and lets the next one follow. */
    const reconnected = async () => {
      let opened = false;
      void relay.configuration.opened(2).then(() => {
        opened = true;
      });
      await until(() => {
        clock.advance(1000);
        expect(opened).toBe(true);
      });
    };
    return { ...relay, errors, clock, reconnected };
  }

  const malformed: { name: string; text: string; says: string }[] = [
    { name: "no JSON", text: 'event: put\ndata: {"path"\n\n', says: "not JSON" },
    { name: "no object", text: "event: put\ndata: []\n\n", says: "put is not an object" },
    { name: "no path", text: 'event: patch\ndata: {"path":5}\n\n', says: '"path" is not text' },
    {
      name: "environments that are a list",
      text: 'event: put\ndata: {"path":"/","data":{"environments":[]}}\n\n',
      says: 'put: "environments" is not an object',
    },
    {
      name: "filters that are a list",
      text: 'event: put\ndata: {"path":"/","data":{"filters":[]}}\n\n',
      says: 'put: "filters" is not an object',
    },
    {
      name: "an environment that is none",
      text: 'event: patch\ndata: {"path":"/environments/env-1","data":5}\n\n',
      says: "the environment is not an object",
    },
    {
      name: "a full set without data",
      text: 'event: put\ndata: {"path":"/"}\n\n',
      says: '"data" is not an object',
    },
    {
      name: "a full set whose data are null",
      text: 'event: put\ndata: {"path":"/","data":null}\n\n',
      says: 'put: "data" is not an object',
    },
    {
      name: "a version that is text",
      text: 'event: delete\ndata: {"path":"/environments/env-1","version":"2"}\n\n',
      says: '"version" is not a whole number',
    },
    {
      name: "a filter whose key is a number",
      text: 'event: patch\ndata: {"path":"/filters/f","data":{"key":5}}\n\n',
      says: '"key" is not text',
    },
  ];
  for (const { name, text, says } of malformed) {
    test(`${name}: the state stays, and the connection is made anew`, async () => {
      const relay = await connected();
      relay.configuration.write(text);
      await relay.reconnected();
      expect(relay.errors[0]).toMatchObject({
        code: "malformed_data",
        message: expect.stringContaining(says),
      });
      expect(await relay.poll("sdk-1")).toBe(1);
      relay.configuration.patch("environments", "env-2", announced(2));
      await until(async () => expect(await relay.poll("sdk-2")).toBe(2));
    });
  }

  test("one broken environment in a full set stays as it was, and the others are served", async () => {
    const relay = await connected(environmentsOf(announced(1), announced(2)));
    relay.configuration.put({
      environments: {
        ...environmentsOf(announced(2, { version: 2, secureMode: "yes" }), announced(3)),
        "env-4": announced(5),
      },
    });
    const states = () =>
      Object.entries(relay.relay.status().environments).map(([name, { status }]) => [name, status]);
    await until(() =>
      expect(states()).toEqual([
        ["env-2", "connected"],
        ["env-3", "connected"],
        ["env-4", "disconnected"],
      ]),
    );
    expect(relay.errors.map(({ message }) => message)).toEqual([
      'environment "env-2": "secureMode" is not true or false',
      'environment "env-4": "envID" is "env-5", not "env-4"',
    ]);
    expect(relay.configuration.connections).toBe(1);
    // It is taken away by what is newer than that.
    relay.configuration.delete("environments", "env-2", 2);
    relay.configuration.patch("environments", "env-6", announced(6));
    await until(() => expect(states().map(([name]) => name)).toContain("env-6"));
    expect(states()).toContainEqual(["env-2", "connected"]);
    relay.configuration.delete("environments", "env-2", 3);
    await until(() => expect(states().map(([name]) => name)).not.toContain("env-2"));
  });

  test("what upstream takes away is told, and when it was the last that is a warning", async () => {
    const told: string[] = [];
    const tell = (level: string) => (message: string) => void told.push(`${level} ${message}`);
    const logger = { debug() {}, info: tell("info"), warn: tell("warn"), error: tell("error") };
    const relay = await startAutoConfigured(
      { environments: environmentsOf(announced(1), announced(2), announced(3)) },
      { options: { logger } },
    );
    const removals = () => told.filter((line) => /removed|taken/.test(line));
    relay.configuration.delete("environments", "env-1", 2);
    await until(() => expect(removals()).toEqual(['info environment "env-1" is removed']));
    relay.configuration.put({ environments: {} });
    await until(() =>
      expect(removals().slice(1)).toEqual([
        'info environment "env-2" is removed',
        'info environment "env-3" is removed',
        "warn [automatic configuration] upstream has taken all environments away: their keys are answered 401",
      ]),
    );
  });

  test("unknown events, paths and members are passed over", async () => {
    const relay = await connected();
    relay.configuration.send("future", { a: 1 });
    relay.configuration.send("put", { path: "/other", data: {} });
    relay.configuration.send("patch", { path: "/teams/1", data: {} });
    relay.configuration.patch("environments", "env-3", announced(1, { version: 2, secureMode: true }));
    relay.configuration.send("delete", { path: "/environments/", version: 9 });
    relay.configuration.write("event: patch\n\n");
    const more = announced(2, { later: { a: 1 } });
    relay.configuration.patch("environments", "env-2", more);
    await until(async () => expect(await relay.poll("sdk-2")).toBe(2));
    expect(await relay.poll("sdk-1")).toBe(1);
    expect(relay.errors).toEqual([]);
    expect(relay.configuration.connections).toBe(1);
  });

  test("upstream may ask for a new connection: the environments stay", async () => {
    const relay = await connected();
    relay.configuration.send("reconnect", {});
    await relay.reconnected();
    expect(await relay.poll("sdk-1")).toBe(1);
    expect(relay.relay.status()).toMatchObject({
      status: "healthy",
      configurationStatus: { state: "VALID" },
    });
    expect(relay.relay.status().configurationStatus).not.toHaveProperty("lastError");
  });

  test("what changed while the connection was lost is known after the next full set", async () => {
    const relay = await connected(environmentsOf(announced(1), announced(2)));
    relay.configuration.setConfiguration({
      environments: environmentsOf(announced(2, { envName: "not newer" }), announced(3)),
    });
    relay.configuration.drop();
    await relay.reconnected();
    await until(() => expect(Object.keys(relay.relay.status().environments)).toEqual(["env-2", "env-3"]));
    expect(relay.relay.status().environments["env-2"]?.envName).toBe("Name 2");
  });

  test("a connection on which nothing comes is given up", async () => {
    const relay = await connected();
    await until(() => {
      relay.clock.advance(300_000);
      expect(relay.relay.status().configurationStatus).toMatchObject({
        lastError: { kind: "NETWORK_ERROR" },
      });
    });
    await relay.reconnected();
  });
});

test("a relay that is closed in the middle of it all ends, and follows nothing more", async () => {
  const relay = await startAutoConfigured({ environments: environmentsOf(announced(1)) });
  relay.configuration.put({ environments: environmentsOf(announced(2), announced(3)) });
  await relay.relay.close({ within: 0 });
  await until(() => expect(relay.configuration.connections).toBe(0));
  await relay.relay.close();
});
