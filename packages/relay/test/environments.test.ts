import { describe, expect, test } from "vitest";
import { createFixedSource, itemsFromJson } from "../src/index.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const poll = (relay: Running, authorization: string, query = "") =>
  relay.fetch("GET", `/sdk/flags${query}`, { headers: { authorization } });
const mping = (relay: Running, authorization: string) => relay.open("/mping", { headers: { authorization } });

describe("adding", () => {
  test("an environment is served when add resolves", async () => {
    const relay = await startRelay({ data: { [keys.sdkKey]: {}, "sdk-2": { flags: { b: flag("b", 1) } } } });
    await relay.relay.environments.add("second", { sdkKey: "sdk-2", envId: "env-2" });
    expect(relay.relay.environments.names()).toEqual(["prod", "second"]);
    expect(JSON.parse((await poll(relay, "sdk-2")).body)).toHaveProperty("b");
  });

  const cases = [
    { name: "a known name", add: ["prod", { sdkKey: "sdk-2" }], code: "duplicate" },
    { name: "a known SDK key", add: ["x", { sdkKey: keys.sdkKey }], code: "duplicate" },
    {
      name: "a known mobile key",
      add: ["x", { sdkKey: "sdk-2", mobileKey: keys.mobileKey }],
      code: "duplicate",
    },
    { name: "a known environment ID", add: ["x", { sdkKey: "sdk-2", envId: keys.envId }], code: "duplicate" },
    { name: "wrong options", add: ["x", { sdkKey: "" }], code: "invalid_options" },
  ] as const;
  for (const { name, add, code } of cases) {
    test(`${name} is refused with ${code}`, async () => {
      const { relay } = await startRelay();
      await expect(relay.environments.add(add[0], add[1])).rejects.toMatchObject({ code });
      expect(relay.environments.names()).toEqual(["prod"]);
    });
  }

  test("nothing after close", async () => {
    const { relay } = await startRelay();
    await relay.close({ within: 0 });
    await expect(relay.environments.add("x", { sdkKey: "sdk-2" })).rejects.toMatchObject({ code: "closed" });
  });
});

describe("removing", () => {
  test("its keys are unknown, its metrics forgotten, its upstream connection ended; others stay", async () => {
    const relay = await startRelay({
      data: { [keys.sdkKey]: {}, "sdk-2": {} },
      environments: { prod: keys, second: { sdkKey: "sdk-2" } },
      options: { prometheus: true },
    });
    await poll(relay, keys.sdkKey);
    await relay.relay.environments.remove("prod");
    expect(await poll(relay, keys.sdkKey)).toMatchObject({ status: 401 });
    expect(await poll(relay, "sdk-2")).toMatchObject({ status: 200 });
    expect((await relay.fetch("GET", "/metrics")).body).not.toContain('environment="prod"');
    while (relay.upstream.environment(keys.sdkKey).connections > 0) await turn();
  });

  test("one of the same name may come at once: the end of the old one does not take its metrics along", async () => {
    const relay = await startRelay({ options: { prometheus: true, events: { flushInterval: "1h" } } });
    await relay.fetch("POST", "/bulk", { headers: { authorization: keys.sdkKey }, body: '[{"kind":"x"}]' });
    const removed = relay.relay.environments.remove("prod");
    await relay.relay.environments.add("prod", keys);
    await poll(relay, keys.sdkKey);
    await removed;
    expect((await relay.fetch("GET", "/metrics")).body).toContain(
      'wye_relay_requests_total{environment="prod",endpoint="php-flags",status="2xx"} 1\n',
    );
  });

  test("one that did not start leaves no metrics", async () => {
    const relay = await startRelay({ environments: {}, options: { prometheus: true } });
    const source = ({ filter }: { filter: string | undefined }) => {
      if (filter === "bad") throw new Error("no source");
      return { close() {} };
    };
    await expect(
      relay.relay.environments.add("prod", { ...keys, filters: ["good", "bad"], source }),
    ).rejects.toThrow("no source");
    expect((await relay.fetch("GET", "/metrics")).body).not.toContain("prod");
  });

  test("an unknown one is an error", async () => {
    const { relay } = await startRelay();
    await expect(relay.environments.remove("nope")).rejects.toMatchObject({ code: "unknown_environment" });
    expect(() => relay.environments.rotateKey("nope", {})).toThrow(
      expect.objectContaining({ code: "unknown_environment" }),
    );
  });
});

describe("rotating the SDK key", () => {
  async function startRotating(newKey: "works" | "refused" = "works") {
    const clock = createManualClock();
    const data = { flags: { a: flag("a", 1) } };
    const relay = await startRelay({
      data: {
        [keys.sdkKey]: data,
        ...(newKey === "works" ? { "sdk-new": { flags: { a: flag("a", 2) } } } : {}),
      },
      options: { clock },
    });
    const stream = await relay.open("/all", { headers: { authorization: keys.sdkKey } });
    await stream.next();
    return { relay, clock, stream };
  }

  test("with an overlap both keys work, without a moment in which one does not", async () => {
    const { relay, clock, stream } = await startRotating();
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-new" }, { overlap: "1h" });
    for (const key of [keys.sdkKey, "sdk-new"]) expect(await poll(relay, key)).toMatchObject({ status: 200 });
    expect(relay.relay.status().environments.prod?.expiringSdkKey).toMatch(/\*22222$/);
    const { data } = await stream.next();
    expect(JSON.parse(data)).toMatchObject({ path: "/flags/a", data: { version: 2 } });
    while (relay.upstream.environment(keys.sdkKey).connections > 0) await turn();
    clock.advance(3_599_999);
    expect(await poll(relay, keys.sdkKey)).toMatchObject({ status: 200 });
    clock.advance(1);
    await stream.ended;
    expect(await poll(relay, keys.sdkKey)).toMatchObject({ status: 401 });
    expect(await poll(relay, "sdk-new")).toMatchObject({ status: 200 });
    expect(relay.relay.status().environments.prod).not.toHaveProperty("expiringSdkKey");
  });

  test("without one the old key is unknown at once, its streams end, others stay", async () => {
    const { relay, stream } = await startRotating();
    const ping = await mping(relay, keys.mobileKey);
    await ping.next();
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-new" });
    await stream.ended;
    expect(await poll(relay, keys.sdkKey)).toMatchObject({ status: 401 });
    expect(await poll(relay, "sdk-new")).toMatchObject({ status: 200 });
    expect(await ping.next()).toMatchObject({ event: "ping" });
  });

  test("a new key that upstream refuses does not take the flags away", async () => {
    const { relay, clock, stream } = await startRotating("refused");
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-new" }, { overlap: "1h" });
    while (!relay.upstream.streamRequests.some(({ headers }) => headers.authorization === "sdk-new"))
      await turn();
    clock.advance(1000);
    for (const key of [keys.sdkKey, "sdk-new"]) expect(await poll(relay, key)).toMatchObject({ status: 200 });
    relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 7));
    expect(JSON.parse((await stream.next()).data)).toMatchObject({ data: { version: 7 } });
    expect(relay.relay.status().status).toBe("healthy");
  });

  test("back to the old key within the overlap", async () => {
    const { relay, clock } = await startRotating();
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-new" }, { overlap: "1h" });
    relay.relay.environments.rotateKey("prod", { sdkKey: keys.sdkKey }, { overlap: "2h" });
    clock.advance(3_600_000);
    expect(await poll(relay, keys.sdkKey)).toMatchObject({ status: 200 });
    clock.advance(3_600_000);
    expect(await poll(relay, "sdk-new")).toMatchObject({ status: 401 });
    expect(await poll(relay, keys.sdkKey)).toMatchObject({ status: 200 });
  });

  test("a hundred times at once: only the last key is known", async () => {
    const { relay } = await startRotating();
    const rotated = Array.from({ length: 100 }, (_, n) => `sdk-rotated-${n}`);
    for (const sdkKey of rotated) relay.relay.environments.rotateKey("prod", { sdkKey });
    const statuses = await Promise.all(rotated.map(async (key) => (await poll(relay, key)).status));
    expect(statuses).toEqual([...Array.from({ length: 99 }, () => 401), 200]);
    expect(await poll(relay, keys.sdkKey)).toMatchObject({ status: 401 });
  });

  test("several old keys, each with an overlap of its own", async () => {
    const { relay, clock } = await startRotating();
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-2" }, { overlap: "3h" });
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-3" }, { overlap: "1h" });
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-4" }, { overlap: "2h" });
    const known = async () => {
      const all = [keys.sdkKey, "sdk-2", "sdk-3", "sdk-4"];
      const statuses = await Promise.all(all.map(async (key) => (await poll(relay, key)).status));
      return all.filter((_, n) => statuses[n] === 200);
    };
    expect(await known()).toEqual([keys.sdkKey, "sdk-2", "sdk-3", "sdk-4"]);
    clock.advance(3_600_000);
    expect(await known()).toEqual([keys.sdkKey, "sdk-3", "sdk-4"]);
    clock.advance(3_600_000);
    expect(await known()).toEqual([keys.sdkKey, "sdk-4"]);
    clock.advance(3_600_000);
    expect(await known()).toEqual(["sdk-4"]);
  });

  test("an environment that was refused recovers with a good key", async () => {
    const relay = await startRelay({
      data: { "sdk-good": {} },
      environments: { prod: { sdkKey: "sdk-bad" } },
    });
    expect(relay.relay.status().environments.prod?.connectionStatus.state).toBe("OFF");
    relay.relay.environments.rotateKey("prod", { sdkKey: "sdk-good" });
    while ((await poll(relay, "sdk-good")).status !== 200) await turn();
    expect(relay.relay.status().status).toBe("healthy");
  });

  test("a key of another environment, or an overlap that is none, is refused", async () => {
    const { relay } = await startRelay({
      data: { [keys.sdkKey]: {}, "sdk-2": {} },
      environments: { prod: keys, second: { sdkKey: "sdk-2" } },
    });
    expect(() => relay.environments.rotateKey("prod", { sdkKey: "sdk-2" })).toThrow(
      expect.objectContaining({ code: "duplicate" }),
    );
    expect(() => relay.environments.rotateKey("prod", { sdkKey: "x y" })).toThrow(
      expect.objectContaining({ code: "invalid_options" }),
    );
    expect(() => relay.environments.rotateKey("prod", { sdkKey: "x" }, { overlap: "soon" })).toThrow(
      TypeError,
    );
  });
});

test("rotating the mobile key, with an overlap", async () => {
  const clock = createManualClock();
  const relay = await startRelay({ options: { clock } });
  const old = await mping(relay, keys.mobileKey);
  relay.relay.environments.rotateKey("prod", { mobileKey: "mob-new" }, { overlap: 1000 });
  for (const key of [keys.mobileKey, "mob-new"]) {
    const stream = await mping(relay, key);
    expect(stream.status).toBe(200);
    stream.close();
  }
  expect(relay.upstream.streamRequests).toHaveLength(1);
  clock.advance(1000);
  await old.ended;
  expect((await mping(relay, keys.mobileKey)).status).toBe(401);
});

describe("payload filters", () => {
  test("each has data, status and failure of its own", async () => {
    const relay = await startRelay({
      data: {},
      environments: {},
    });
    relay.upstream.environment(keys.sdkKey).setData({ flags: { a: flag("a", 1), b: flag("b", 1) } });
    relay.upstream.environment(keys.sdkKey, "web").setData({ flags: { a: flag("a", 1) } });
    relay.upstream.environment(keys.sdkKey, "dead").answer(403);
    await relay.relay.environments.add("prod", { ...keys, filters: ["web", "dead"] });
    const keysOf = async (query: string) =>
      Object.keys(JSON.parse((await poll(relay, keys.sdkKey, query)).body));
    expect(await keysOf("")).toEqual(["a", "b"]);
    expect(await keysOf("?filter=web")).toEqual(["a"]);
    expect(await poll(relay, keys.sdkKey, "?filter=dead")).toMatchObject({ status: 401 });
    expect(await poll(relay, keys.sdkKey, "?filter=nope")).toMatchObject({ status: 404 });
    expect(Object.keys(relay.relay.status().environments)).toEqual(["prod", "prod/dead", "prod/web"]);
    relay.relay.environments.rotateKey("prod", { mobileKey: "mob-2" });
    const stream = await relay.open("/mping?filter=web", { headers: { authorization: "mob-2" } });
    expect(stream.status).toBe(200);
    await relay.relay.environments.remove("prod");
    await stream.ended;
  });
});

describe("stores and sources of the host", () => {
  test("flags of a filled store are served until upstream delivers", async () => {
    const { memoryStore } = await import("../src/stores/memory-store.js");
    const { itemsFromJson } = await import("../src/sources/change-from-event.js");
    const relay = await startRelay({ environments: {} });
    relay.upstream.environment(keys.sdkKey).answer("silent");
    await relay.relay.environments.add("prod", {
      ...keys,
      store: (context) => {
        const store = memoryStore();
        const { signal } = new AbortController();
        expect(context).toMatchObject({ environment: "prod", envId: keys.envId, filter: undefined });
        void store.replace(itemsFromJson('{"flags":{"kept":{"key":"kept","version":1}}}'), signal);
        return { ...store, about: { database: "redis", dbServer: "redis://x" } };
      },
    });
    expect(JSON.parse((await poll(relay, keys.sdkKey)).body)).toHaveProperty("kept");
    const evaluated = await relay.fetch("REPORT", "/sdk/evalx/context", {
      headers: { authorization: keys.sdkKey, "content-type": "application/json" },
      body: '{"kind":"user","key":"u"}',
    });
    expect(JSON.parse(evaluated.body)).toHaveProperty("kept");
    const stream = await relay.open("/all", { headers: { authorization: keys.sdkKey } });
    expect(JSON.parse((await stream.next()).data)).toMatchObject({
      data: { flags: { kept: { version: 1 } } },
    });
    expect(relay.relay.status().environments.prod).toMatchObject({
      status: "disconnected",
      connectionStatus: { state: "INITIALIZING" },
      dataStoreStatus: { state: "VALID", database: "redis", dbServer: "redis://x" },
    });
    relay.upstream.environment(keys.sdkKey).put({});
    while ((await poll(relay, keys.sdkKey)).body !== "{}") await turn();
    expect(relay.relay.status().status).toBe("healthy");
  });

  test("while a store fails, changes are served and streamed all the same; the status says so", async () => {
    const { memoryStore } = await import("../src/stores/memory-store.js");
    const clock = createManualClock();
    let broken = false;
    const relay = await startRelay({
      options: { clock },
      environments: {
        prod: {
          ...keys,
          store: () => {
            const store = memoryStore();
            const guard = <Result>(run: () => Promise<Result>): Promise<Result> =>
              broken ? Promise.reject(new Error("no disk")) : run();
            return {
              ...store,
              replace: (items, signal) => guard(() => store.replace(items, signal)),
              upsert: (items, signal) => guard(() => store.upsert(items, signal)),
            };
          },
        },
      },
    });
    const stream = await relay.open("/all", { headers: { authorization: keys.sdkKey } });
    await stream.next();
    const statusOf = () => relay.relay.status().environments.prod?.dataStoreStatus.state;
    const upstream = relay.upstream.environment(keys.sdkKey);
    broken = true;
    upstream.patch("flags", flag("a", 2));
    expect(JSON.parse((await stream.next()).data)).toMatchObject({ data: { version: 2 } });
    upstream.put({ flags: { a: flag("a", 3) } });
    expect(JSON.parse((await stream.next()).data)).toMatchObject({ data: { version: 3 } });
    expect(JSON.parse((await poll(relay, keys.sdkKey)).body)).toMatchObject({ a: { version: 3 } });
    while (statusOf() !== "INTERRUPTED") await turn();
    expect(relay.relay.status()).toMatchObject({
      status: "healthy",
      environments: { prod: { status: "connected", connectionStatus: { state: "VALID" } } },
    });
    broken = false;
    while (statusOf() !== "VALID") {
      clock.advance(1000);
      await turn();
    }
  });

  test("a fixed source can be replaced while it is served", async () => {
    const { source, replace } = createFixedSource('{"flags":{"a":{"key":"a","version":1}}}');
    const relay = await startRelay({ environments: { demo: { ...keys, source } } });
    const stream = await relay.open("/all", { headers: { authorization: keys.sdkKey } });
    expect(JSON.parse((await stream.next()).data)).toMatchObject({ data: { flags: { a: { version: 1 } } } });
    await replace('{"flags":{"a":{"key":"a","version":2}}}');
    expect(JSON.parse((await stream.next()).data)).toMatchObject({ data: { version: 2 } });
    // SDKs would not take it alone: the version is not greater.
    await replace('{\n  "flags": { "a": {\n "key": "a",\r\n "version": 2, "on": true } }\n}');
    expect(JSON.parse((await stream.next()).data)).toMatchObject({ data: { flags: { a: { on: true } } } });
    await expect(replace("nonsense")).rejects.toMatchObject({ code: "malformed_data" });
    expect(() => createFixedSource("[]")).toThrow(expect.objectContaining({ code: "malformed_data" }));
  });

  test.each([
    ['{"new-checkout":true}', '"new-checkout"; a file of simple values is read by flagFile'],
    ['{"a":1,"b":{},"c":[],"d":2}', '"a", "b", "c"; a file'],
    ['{"data":{"flags":{}}}', '"data"; a file'],
  ])("a fixed source in which neither flags nor segments stand is refused: %s", async (text, names) => {
    const refused = (run: () => unknown) =>
      expect(run).toThrow(
        expect.objectContaining({
          code: "malformed_data",
          message: expect.stringContaining(
            `there is neither "flags" nor "segments", as in {"flags":{}}, but ${names}`,
          ),
        }),
      );
    refused(() => createFixedSource(text));
    const { replace } = createFixedSource('{"segments":{},"x":1}');
    await expect(replace(text)).rejects.toMatchObject({ code: "malformed_data" });
    await replace("{}");
    await replace('{"x":1,"flags":{}}');
  });

  test.each([[{ flags: {} }], [undefined], [5]])(
    "flags that are no text are refused by name and with the remedy: %j",
    async (given) => {
      const text = given as unknown as string;
      const remedy = (call: string) =>
        new TypeError(`${call} takes text such as {"flags":{}}, not ${typeof given}`);
      expect(() => createFixedSource(text)).toThrow(remedy("createFixedSource"));
      expect(() => itemsFromJson(text)).toThrow(remedy("itemsFromJson"));
      await expect(createFixedSource("{}").replace(text)).rejects.toThrow(remedy("replace"));
    },
  );

  test("pollers see every replacement of a fixed source, also one that forgets to raise the versions", async () => {
    const json = (on: boolean) =>
      JSON.stringify({
        flags: { a: { key: "a", version: 1, on } },
        segments: { s: { key: "s", version: 1, included: on ? ["x"] : [] } },
      });
    const { source, replace } = createFixedSource(json(true));
    const relay = await startRelay({ environments: { demo: { ...keys, source } } });
    const paths = ["/sdk/flags", "/sdk/latest-all", "/sdk/flags/a", "/sdk/segments/s"];
    const get = (path: string, tag = "") =>
      relay.fetch("GET", path, { headers: { authorization: keys.sdkKey, "if-none-match": tag } });
    for (const on of [false, true]) {
      const tags = await Promise.all(paths.map(async (path) => String((await get(path)).headers.etag)));
      for (const [n, path] of paths.entries())
        expect(await get(path, tags[n])).toMatchObject({ status: 304 });
      await replace(json(on));
      for (const [n, path] of paths.entries())
        expect(await get(path, tags[n])).toMatchObject({ status: 200 });
    }
  });
});

describe("those that should be there and cannot", () => {
  const options = { sdkKey: "sdk-2", mobileKey: "mob-2", envId: "env-2", about: { envName: "Second" } };
  const problem = "its database is not there";

  test("stand in the status, and their SDKs are to try again", async () => {
    const relay = await startRelay({ data: { [keys.sdkKey]: {}, "sdk-2": {} }, options: { ready: "all" } });
    const { environments } = relay.relay;
    environments.setUnserved({ second: { options, problem }, prod: { options: keys, problem } });
    expect(relay.relay.status()).toMatchObject({
      status: "degraded",
      environments: {
        prod: { status: "connected", problem },
        second: { status: "disconnected", envId: "env-2", envName: "Second", mobileKey: "mob-*", problem },
      },
    });
    expect(environments.names()).toEqual(["prod"]);
    expect(await poll(relay, "sdk-2")).toMatchObject({ status: 503 });
    expect(await poll(relay, keys.sdkKey)).toMatchObject({ status: 200 });
    expect(await relay.fetch("GET", "/ready")).toMatchObject({ status: 200 });

    await environments.add("second", options);
    expect(relay.relay.status().environments.second).not.toHaveProperty("problem");
    expect(await poll(relay, "sdk-2")).toMatchObject({ status: 200 });

    environments.setUnserved({});
    expect(relay.relay.status().status).toBe("healthy");
  });

  test("are forgotten when others are named", async () => {
    const relay = await startRelay();
    relay.relay.environments.setUnserved({ second: { options, problem } });
    relay.relay.environments.setUnserved({ third: { options: { sdkKey: "sdk-3" }, problem } });
    expect(await poll(relay, "sdk-2")).toMatchObject({ status: 401 });
    expect(await poll(relay, "sdk-3")).toMatchObject({ status: 503 });
    await relay.relay.close({ within: 0 });
    expect(() => relay.relay.environments.setUnserved({})).toThrow("the relay is closed");
  });
});
