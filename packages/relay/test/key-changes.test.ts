import { describe, expect, test } from "vitest";
import { createFixedSource } from "../src/sources/fixed-source.js";
import type { SourceFactory } from "../src/sources/source.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const hour = 3_600_000;

const poll = async (relay: Running, authorization: string) => {
  const { status, body } = await relay.fetch("GET", "/sdk/flags", { headers: { authorization } });
  return status === 200 ? Number(JSON.parse(body).a?.version) : status;
};

async function until(condition: () => boolean | Promise<boolean>, each = () => {}): Promise<void> {
  while (!(await condition())) {
    each();
    await turn();
  }
}

/** A relay whose first key `sdk-0` gives version 0 of a flag, and so on for the others. */
async function startWithKeys(count: number): Promise<{ relay: Running; clock: ManualClock }> {
  const clock = createManualClock();
  const relay = await startRelay({
    data: Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`sdk-${n}`, { flags: { a: flag("a", n) } }]),
    ),
    environments: { prod: { ...keys, sdkKey: "sdk-0" } },
    options: { clock, random: () => 0 },
  });
  return { relay, clock };
}

const asked = (relay: Running, key: string) =>
  relay.upstream.streamRequests.filter(({ headers }) => headers.authorization === key).length;
const state = ({ relay }: Running) => relay.status().environments.prod?.connectionStatus.state;

describe("quick changes of the key", () => {
  test("the middle key delivers first: the newest goes on being asked, and has the last word", async () => {
    const { relay } = await startWithKeys(3);
    const { environments } = relay.relay;
    for (const key of ["sdk-1", "sdk-2"]) relay.upstream.environment(key).answer("silent");
    environments.rotateKey("prod", { sdkKey: "sdk-1" }, { overlap: "1h" });
    environments.rotateKey("prod", { sdkKey: "sdk-2" }, { overlap: "1h" });
    await until(
      () =>
        relay.upstream.environment("sdk-1").connections + relay.upstream.environment("sdk-2").connections ===
        2,
    );
    relay.upstream.environment("sdk-1").put({ flags: { a: flag("a", 1) } });
    await until(async () => (await poll(relay, "sdk-2")) === 1);
    await until(() => relay.upstream.environment("sdk-0").connections === 0);
    relay.upstream.environment("sdk-2").put({ flags: { a: flag("a", 2) } });
    await until(async () => (await poll(relay, "sdk-2")) === 2);
    await until(() => relay.upstream.environment("sdk-1").connections === 0);
    relay.upstream.environment("sdk-2").patch("flags", flag("a", 3));
    await until(async () => (await poll(relay, "sdk-0")) === 3);
    expect(relay.upstream.environment("sdk-2").connections).toBe(1);
  });

  test("a hundred leave exactly the newest connection", async () => {
    const { relay } = await startWithKeys(101);
    for (let n = 1; n <= 100; n++) relay.relay.environments.rotateKey("prod", { sdkKey: `sdk-${n}` });
    await until(async () => (await poll(relay, "sdk-100")) === 100);
    const connections = () =>
      Array.from({ length: 101 }, (_, n) => relay.upstream.environment(`sdk-${n}`).connections);
    await until(() => connections().reduce((sum, one) => sum + one, 0) === 1);
    expect(connections()[100]).toBe(1);
  });

  test("back to the key whose flags are served: it is not asked again, and the other one no longer", async () => {
    const { relay } = await startWithKeys(2);
    relay.upstream.environment("sdk-1").answer("silent");
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-1" }, { overlap: "1h" });
    await until(() => relay.upstream.environment("sdk-1").connections === 1);
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-0" }, { overlap: "1h" });
    await until(() => relay.upstream.environment("sdk-1").connections === 0);
    relay.upstream.environment("sdk-0").patch("flags", flag("a", 9));
    await until(async () => (await poll(relay, "sdk-1")) === 9);
    expect(asked(relay, "sdk-0")).toBe(1);
  });

  test("a key that is neither accepted nor the newest is not asked any more", async () => {
    const { relay } = await startWithKeys(3);
    for (const key of ["sdk-1", "sdk-2"]) relay.upstream.environment(key).answer("silent");
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-1" });
    await until(() => relay.upstream.environment("sdk-1").connections === 1);
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-2" });
    await until(() => relay.upstream.environment("sdk-1").connections === 0);
    // The flags that are served still come from the first one.
    relay.upstream.environment("sdk-0").patch("flags", flag("a", 9));
    await until(async () => (await poll(relay, "sdk-2")) === 9);
  });
});

describe("a key that upstream refuses", () => {
  test("at a rotation: it is asked again until it works", async () => {
    const { relay, clock } = await startWithKeys(2);
    relay.upstream.environment("sdk-1").answer(401);
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-1" }, { overlap: "100h" });
    await until(() => asked(relay, "sdk-1") === 1);
    await until(
      () => asked(relay, "sdk-1") === 2,
      () => clock.advance(100),
    );
    expect(await poll(relay, "sdk-1")).toBe(0);
    expect(state(relay)).toBe("VALID");
    relay.upstream.environment("sdk-1").answer("data");
    await until(
      async () => (await poll(relay, "sdk-1")) === 1,
      () => clock.advance(60_000),
    );
  });

  test("at a rotation: the status says with which key upstream is still asked", async () => {
    const clock = createManualClock();
    const [former, next] = ["sdk-0000-0000-0000-first", "sdk-0000-0000-0000-later"];
    const relay = await startRelay({
      data: { [former]: {}, [next]: {} },
      environments: { prod: { sdkKey: former } },
      options: { clock },
    });
    const status = () => relay.relay.status().environments.prod;
    expect(status()).not.toHaveProperty("upstreamSdkKey");
    relay.upstream.environment(next).answer(401);
    relay.relay.environments.rotateKey("prod", { sdkKey: next });
    await until(() => status()?.connectionStatus.lastError !== undefined);
    expect(status()).toMatchObject({
      sdkKey: "sdk-****-****-****-later",
      upstreamSdkKey: "sdk-****-****-****-first",
      connectionStatus: { state: "VALID", lastError: { kind: "ERROR_RESPONSE" } },
    });
    relay.upstream.environment(next).answer("data");
    await until(
      () => status()?.upstreamSdkKey === undefined,
      () => clock.advance(60_000),
    );
  });

  test("at the start: 401, and 200 once upstream accepts it, without anybody's doing", async () => {
    const clock = createManualClock();
    const relay = await startRelay({ data: {}, environments: {}, options: { clock } });
    relay.upstream.environment("sdk-0").answer(401);
    await relay.relay.environments.add("prod", { sdkKey: "sdk-0" });
    expect(await poll(relay, "sdk-0")).toBe(401);
    relay.upstream.environment("sdk-0").setData({ flags: { a: flag("a", 5) } });
    relay.upstream.environment("sdk-0").answer("data");
    await until(
      async () => (await poll(relay, "sdk-0")) === 5,
      () => clock.advance(1000),
    );
    expect(state(relay)).toBe("VALID");
  });

  test("replaced by one that has no data yet: 503, for SDKs stop for good at 401", async () => {
    const relay = await startRelay({ data: {}, environments: { prod: { sdkKey: "sdk-bad" } } });
    expect(await poll(relay, "sdk-bad")).toBe(401);
    relay.upstream.environment("sdk-late").answer("silent");
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-late" });
    expect(await poll(relay, "sdk-late")).toBe(503);
    await until(() => relay.upstream.environment("sdk-late").connections === 1);
    expect(await poll(relay, "sdk-late")).toBe(503);
    expect(state(relay)).toBe("INITIALIZING");
    relay.upstream.environment("sdk-late").put({ flags: { a: flag("a", 4) } });
    await until(async () => (await poll(relay, "sdk-late")) === 4);
  });

  for (const status of [404, 405, 407, 410, 421]) {
    test(`${status} says nothing about the key: 503 and asked again soon`, async () => {
      const clock = createManualClock();
      const relay = await startRelay({ data: {}, environments: {}, options: { clock, initTimeout: 1 } });
      relay.upstream.environment("sdk-0").answer(status);
      const added = relay.relay.environments.add("prod", { sdkKey: "sdk-0" });
      const error = () => relay.relay.status().environments.prod?.connectionStatus.lastError?.kind;
      await until(() => error() === "ERROR_RESPONSE");
      clock.advance(1);
      await added;
      expect(await poll(relay, "sdk-0")).toBe(503);
      expect(state(relay)).toBe("INITIALIZING");
      relay.upstream.environment("sdk-0").setData({ flags: { a: flag("a", 5) } });
      relay.upstream.environment("sdk-0").answer("data");
      clock.advance(1000);
      await until(async () => (await poll(relay, "sdk-0")) === 5);
    });
  }
});

describe("several keys at once", () => {
  const further = {
    sdkKey: "sdk-0",
    mobileKey: "mob-0",
    envId: "env",
    furtherSdkKeys: [
      "sdk-steady",
      { key: "sdk-hour", expires: new Date(1_700_000_000_000 + hour) },
      { key: "sdk-over", expires: "2020-01-01T00:00:00Z" },
    ],
    furtherMobileKeys: [{ key: "mob-hour", expires: 1_700_000_000_000 + hour }],
  };

  async function start() {
    const clock = createManualClock();
    const relay = await startRelay({
      data: { "sdk-0": { flags: { a: flag("a", 1) } } },
      environments: { prod: further },
      options: { clock },
    });
    const mobile = async (authorization: string) =>
      (await relay.fetch("GET", "/msdk/evalx/users/eyJrZXkiOiJhIn0", { headers: { authorization } })).status;
    return { relay, clock, mobile };
  }

  test("each is accepted until it expires; one that has expired before the start never was", async () => {
    const { relay, clock, mobile } = await start();
    const all = async () =>
      Promise.all(["sdk-0", "sdk-steady", "sdk-hour", "sdk-over"].map((key) => poll(relay, key)));
    const stream = await relay.open("/all", { headers: { authorization: "sdk-hour" } });
    await stream.next();
    expect(await all()).toEqual([1, 1, 1, 401]);
    expect(await Promise.all(["mob-0", "mob-hour"].map(mobile))).toEqual([200, 200]);
    expect(relay.relay.status().environments.prod?.expiringSdkKey).toMatch(/^sdk-/);
    clock.advance(hour - 1);
    expect(await all()).toEqual([1, 1, 1, 401]);
    clock.advance(1);
    await stream.ended;
    expect(await all()).toEqual([1, 1, 401, 401]);
    expect(await Promise.all(["mob-0", "mob-hour"].map(mobile))).toEqual([200, 401]);
    expect(relay.relay.status().environments.prod).not.toHaveProperty("expiringSdkKey");
    // Upstream is asked with the first key only.
    expect(relay.upstream.streamRequests).toHaveLength(1);
  });

  test("the moment counts, also when the clock of the machine jumps there", async () => {
    const { relay, clock } = await start();
    const stream = await relay.open("/all", { headers: { authorization: "sdk-hour" } });
    clock.jump(hour);
    expect(await poll(relay, "sdk-hour")).toBe(401);
    clock.advance(60_000);
    await stream.ended;
  });

  test("a rotation keeps the others, and takes over one of them", async () => {
    const { relay, clock } = await start();
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-steady" }, { overlap: "2h" });
    clock.advance(hour);
    expect(await Promise.all(["sdk-0", "sdk-steady", "sdk-hour"].map((key) => poll(relay, key)))).toEqual([
      1, 1, 401,
    ]);
    clock.advance(hour);
    expect(await Promise.all(["sdk-0", "sdk-steady"].map((key) => poll(relay, key)))).toEqual([401, 1]);
  });

  test("none of them may belong to another environment", async () => {
    const { relay } = await start();
    for (const [kind, options] of Object.entries({
      sdkKey: { sdkKey: "sdk-steady" },
      mobileKey: { sdkKey: "x", furtherMobileKeys: ["mob-hour"] },
    })) {
      await expect(relay.relay.environments.add("other", options)).rejects.toMatchObject({
        code: "duplicate",
        message: `environment "prod" has the same ${kind}`,
      });
    }
    // One that has expired is free.
    await relay.relay.environments.add("other", { sdkKey: "sdk-over" });
  });

  test("an overlap of thirty days lasts thirty days", async () => {
    const { relay, clock } = await startWithKeys(2);
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-1" }, { overlap: "720h" });
    await until(async () => (await poll(relay, "sdk-1")) === 1);
    clock.advance(719 * hour);
    expect(await poll(relay, "sdk-0")).toBe(1);
    clock.advance(hour);
    expect(await poll(relay, "sdk-0")).toBe(401);
  });
});

describe("updating an environment", () => {
  test("what is not named stays; streams that are still allowed stay open", async () => {
    const { relay } = await startWithKeys(2);
    const { environments } = relay.relay;
    const server = await relay.open("/all", { headers: { authorization: "sdk-0" } });
    const mobile = await relay.open("/mping", { headers: { authorization: keys.mobileKey } });
    const browser = await relay.open(`/ping/${keys.envId}`);
    for (const stream of [server, mobile, browser]) await stream.next();
    await environments.update("prod", {
      ttl: "5m",
      allowedOrigins: ["https://a.example"],
      furtherSdkKeys: ["sdk-more"],
    });
    const answer = await relay.fetch("GET", "/sdk/flags", { headers: { authorization: "sdk-more" } });
    expect(answer.headers).toHaveProperty("expires");
    expect((await relay.fetch("OPTIONS", `/ping/${keys.envId}`)).headers).toMatchObject({
      "access-control-allow-origin": "https://a.example",
    });
    await environments.update("prod", { mobileKey: null, secureMode: true });
    await mobile.ended;
    expect(await poll(relay, "sdk-more")).toBe(0);
    expect((await relay.fetch("OPTIONS", `/ping/${keys.envId}`)).headers).toMatchObject({
      "access-control-allow-origin": "https://a.example",
    });
    const evaluated = await relay.fetch("GET", `/sdk/evalx/${keys.envId}/users/eyJrZXkiOiJhIn0`);
    expect(evaluated.status).toBe(400);
    relay.upstream.environment("sdk-0").patch("flags", flag("a", 8));
    expect(await server.next()).toMatchObject({ event: "patch" });
    expect(await browser.next()).toMatchObject({ event: "ping" });
    expect(relay.upstream.streamRequests).toHaveLength(1);
  });

  test("another SDK key takes over as in a rotation without overlap", async () => {
    const { relay } = await startWithKeys(2);
    const browser = await relay.open(`/ping/${keys.envId}`);
    await browser.next();
    await relay.relay.environments.update("prod", { sdkKey: "sdk-1" });
    expect(await poll(relay, "sdk-0")).toBe(401);
    await until(async () => (await poll(relay, "sdk-1")) === 1);
    expect(await browser.next()).toMatchObject({ event: "ping" });
  });

  test("filters come and go; the others do not notice", async () => {
    const { relay } = await startWithKeys(1);
    const { environments } = relay.relay;
    relay.upstream.environment("sdk-0", "web").setData({ flags: { a: flag("a", 7) } });
    const plain = await relay.open("/all", { headers: { authorization: "sdk-0" } });
    await plain.next();
    await environments.update("prod", { filters: ["web"] });
    const filtered = await relay.open("/all?filter=web", { headers: { authorization: "sdk-0" } });
    expect(JSON.parse((await filtered.next()).data).data.flags.a.version).toBe(7);
    await environments.update("prod", { filters: [] });
    await filtered.ended;
    const gone = await relay.fetch("GET", "/sdk/flags?filter=web", { headers: { authorization: "sdk-0" } });
    expect(gone.status).toBe(404);
    await until(() => relay.upstream.environment("sdk-0", "web").connections === 0);
    relay.upstream.environment("sdk-0").patch("flags", flag("a", 8));
    expect(await plain.next()).toMatchObject({ event: "patch" });
  });

  const wrong = [
    { name: "what cannot be changed", changes: { envId: "x" }, code: "invalid_options" },
    { name: "a filter twice", changes: { filters: ["a", "a"] }, code: "invalid_options" },
    { name: "a key twice", changes: { furtherSdkKeys: ["sdk-0"] }, code: "invalid_options" },
    { name: "a key of another one", changes: { sdkKey: "sdk-1" }, code: "duplicate" },
    { name: "a name of another one", changes: { filters: ["web"] }, code: "duplicate" },
  ];
  for (const { name, changes, code } of wrong) {
    test(`${name} is refused with ${code}, and nothing changes`, async () => {
      const { relay } = await startWithKeys(2);
      const { environments } = relay.relay;
      await environments.add("prod/web", { sdkKey: "sdk-1" });
      const before = relay.relay.status();
      await expect(environments.update("prod", changes)).rejects.toMatchObject({ code });
      expect(relay.relay.status()).toEqual(before);
      expect(await poll(relay, "sdk-0")).toBe(0);
    });
  }
});

describe("a key that has expired is free for others", () => {
  const fixed = createFixedSource('{"flags":{},"segments":{}}').source;
  // One of the host, which may know of filters.
  const source: SourceFactory = (context) => fixed(context);
  const status = async (relay: Running, authorization: string) =>
    (await relay.fetch("GET", "/sdk/flags", { headers: { authorization } })).status;

  for (const jumps of [false, true]) {
    test(`another environment takes it${jumps ? ", before a timer has noticed" : ""}, and each can be changed afterwards`, async () => {
      const clock = createManualClock();
      const relay = await startRelay({
        options: { clock },
        environments: { a: { sdkKey: "a1", source }, b: { sdkKey: "b1", source } },
      });
      const { environments } = relay.relay;
      environments.rotateKey("a", { sdkKey: "a2" }, { overlap: "1m" });
      await expect(environments.update("b", { furtherSdkKeys: ["a1"] })).rejects.toMatchObject({
        code: "duplicate",
      });
      if (jumps) clock.jump(60_000);
      else clock.advance(60_000);
      expect(await status(relay, "a1")).toBe(401);
      await environments.update("b", { sdkKey: "a1", furtherSdkKeys: ["b3"], filters: ["web"] });
      await environments.update("a", { ttl: "1m" });
      clock.advance(60_000);
      for (const key of ["a1", "a2", "b3"]) expect(await status(relay, key), key).toBe(200);
      await environments.remove("a");
      for (const key of ["a1", "b3"]) expect(await status(relay, key), key).toBe(200);
      expect(await status(relay, "a2")).toBe(401);
    });
  }

  test("a restart takes options in which it is still listed", async () => {
    const clock = createManualClock(Date.UTC(2027, 0, 1));
    const furtherSdkKeys = [{ key: "a1", expires: "2027-01-01T00:00:00Z" }];
    const relay = await startRelay({
      options: { clock },
      environments: { a: { sdkKey: "a2", source, furtherSdkKeys }, b: { sdkKey: "a1", source } },
    });
    for (const key of ["a1", "a2"]) expect(await status(relay, key), key).toBe(200);
    const { environments } = relay.relay;
    await expect(
      environments.update("a", { furtherSdkKeys: [{ key: "a1", expires: "2027-01-01T00:00:01Z" }] }),
    ).rejects.toMatchObject({ code: "duplicate" });
  });
});
