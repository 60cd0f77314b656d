import { describe, expect, test, vi } from "vitest";
import type { RelayError } from "../src/error.js";
import { announced, environmentsOf, startAutoConfigured } from "./start-auto-configured.js";
import { flag, startRelay } from "./start-relay.js";

const until = (look: () => unknown) => vi.waitFor(look, { timeout: 120_000, interval: 5 });
const unready = "Relay Proxy is not yet fully initialized, does not have list of environments yet";

describe("the first configuration", () => {
  test("before it comes, requests are answered with 503 and the status is degraded", async () => {
    const relay = await startAutoConfigured(undefined);
    expect(await relay.fetch("GET", "/all")).toMatchObject({ status: 401, body: "" });
    expect(await relay.fetch("GET", "/all", { headers: { authorization: "sdk-1" } })).toMatchObject({
      status: 503,
      body: unready,
    });
    const page = await relay.fetch("GET", "/ping/env-1", { headers: { origin: "https://a.example" } });
    expect(page).toMatchObject({ status: 503, body: unready });
    expect(page.headers["access-control-allow-origin"]).toBe("https://a.example");
    expect(await relay.fetch("OPTIONS", "/ping/env-1")).toMatchObject({ status: 200 });
    expect(await relay.fetch("GET", "/ready")).toMatchObject({ status: 503 });
    const status = JSON.parse((await relay.fetch("GET", "/status")).body);
    expect(status).toMatchObject({
      environments: {},
      status: "degraded",
      configurationStatus: { state: "INITIALIZING" },
    });
    expect(status).toEqual(relay.relay.status());
    expect(relay.upstream.streamRequests).toMatchObject([
      {
        path: "/relay_auto_config?rpacProtocolVersion=2",
        headers: { authorization: "rel-1", accept: "text/event-stream" },
      },
    ]);
  });

  test("its environments are served to all three kinds of SDKs, under their IDs in the status", async () => {
    const relay = await startAutoConfigured({
      environments: environmentsOf(announced(1, { defaultTtl: 5 }), announced(2, { projName: "" })),
    });
    const status = relay.relay.status();
    expect(status).toMatchObject({ status: "healthy", configurationStatus: { state: "VALID" } });
    expect(Object.keys(status.environments)).toEqual(["env-1", "env-2"]);
    expect(Object.entries(status.environments["env-1"] ?? {}).slice(0, 6)).toEqual([
      ["sdkKey", "sdk-*"],
      ["envId", "env-1"],
      ["envKey", "key-1"],
      ["envName", "Name 1"],
      ["projKey", "shop"],
      ["projName", "Shop"],
    ]);
    expect(status.environments["env-2"]).not.toHaveProperty("projName");
    const polled = await relay.fetch("GET", "/sdk/flags", { headers: { authorization: "sdk-1" } });
    expect(polled.status).toBe(200);
    expect(polled.headers.expires).toBeDefined();
    const alice = Buffer.from('{"kind":"user","key":"alice"}').toString("base64url");
    const mobile = await relay.fetch("GET", `/msdk/evalx/contexts/${alice}`, {
      headers: { authorization: "mob-2" },
    });
    expect(JSON.parse(mobile.body)).toMatchObject({ a: { version: 2 } });
    const page = await relay.fetch("GET", `/sdk/evalx/env-1/contexts/${alice}`);
    expect(JSON.parse(page.body)).toMatchObject({ a: { version: 1 } });
    expect(await relay.fetch("GET", "/ready")).toMatchObject({ status: 200 });
  });

  test("without any environment the relay is healthy, and knows no credential", async () => {
    const relay = await startAutoConfigured({});
    expect(relay.relay.status()).toMatchObject({ environments: {}, status: "healthy" });
    expect(await relay.poll("sdk-1")).toBe(401);
    expect((await relay.fetch("GET", "/ping/env-1")).status).toBe(404);
  });

  test("ready gives up waiting for it after initTimeout, and it may come later", async () => {
    const relay = await startAutoConfigured(undefined, { options: { initTimeout: "10ms" } });
    expect(await relay.relay.ready()).toMatchObject({ status: "degraded", environments: {} });
    await relay.configuration.opened();
    relay.configuration.put({ environments: environmentsOf(announced(1)) });
    await until(async () => expect(await relay.poll("sdk-1")).toBe(1));
  });

  test("what the host sets holds for every environment", async () => {
    const places: unknown[] = [];
    const relay = await startAutoConfigured(
      {
        environments: environmentsOf(announced(1)),
        filters: { f: { projKey: "shop", key: "web", version: 1 } },
      },
      {
        prepare: (upstream) => upstream.environment("sdk-1", "web").setData({ flags: { a: flag("a", 50) } }),
        autoConfig: {
          allowedOrigins: ["https://a.example"],
          allowedHeaders: ["X-Own"],
          clientStream: "ping",
          store(context) {
            places.push([context.environment, context.envId, context.filter]);
            return {
              read: async () => undefined,
              replace: async () => {},
              upsert: async () => [],
              close: async () => {},
            };
          },
        },
      },
    );
    const { headers } = await relay.fetch("GET", "/sdk/goals/env-1", {
      headers: { origin: "https://b.example" },
    });
    expect(headers["access-control-allow-origin"]).toBe("https://a.example");
    expect(headers["access-control-allow-headers"]).toContain("X-Own");
    expect(places).toEqual([
      ["env-1", "env-1", undefined],
      ["env-1/web", "env-1", "web"],
    ]);
  });
});

describe("changes", () => {
  test("an update of names leaves connections as they are", async () => {
    const relay = await startAutoConfigured({ environments: environmentsOf(announced(1)) });
    const stream = await relay.open("/all", { headers: { authorization: "sdk-1" } });
    await stream.next();
    const asked = relay.upstream.streamRequests.length;
    relay.configuration.patch("environments", "env-1", announced(1, { envName: "New", version: 2 }));
    await until(() => expect(relay.relay.status().environments["env-1"]?.envName).toBe("New"));
    expect(relay.upstream.streamRequests).toHaveLength(asked);
    relay.upstream.environment("sdk-1").patch("flags", flag("a", 70));
    expect(JSON.parse((await stream.next()).data).data).toMatchObject({ key: "a", version: 70 });
    stream.close();
  });

  test("versions decide, deletions are remembered, and a full set forgets what is not in it", async () => {
    const relay = await startAutoConfigured({ environments: environmentsOf(announced(1), announced(2)) });
    const { configuration } = relay;
    const names = () => Object.keys(relay.relay.status().environments);
    const title = (id: string) => relay.relay.status().environments[id]?.envName;
    /** Waits until everything that was sent before has been dealt with. */
    let barriers = 0;
    const barrier = async () => {
      const filter = { projKey: "barrier", key: `b${++barriers}`, version: 1 };
      configuration.patch("environments", "env-9", announced(9, { version: barriers, envName: filter.key }));
      await until(() => expect(title("env-9")).toBe(filter.key));
    };
    configuration.patch("environments", "env-1", announced(1, { version: 1, envName: "same version" }));
    configuration.delete("environments", "env-2", 1);
    await barrier();
    expect(title("env-1")).toBe("Name 1");
    expect(names()).toEqual(["env-1", "env-2", "env-9"]);

    configuration.delete("environments", "env-2", 5);
    configuration.patch("environments", "env-2", announced(2, { version: 5 }));
    configuration.delete("environments", "env-3", 3);
    configuration.patch("environments", "env-3", announced(3, { version: 3 }));
    await barrier();
    expect(names()).toEqual(["env-1", "env-9"]);
    expect(await relay.poll("sdk-2")).toBe(401);

    configuration.patch("environments", "env-2", announced(2, { version: 6 }));
    await barrier();
    expect(names()).toEqual(["env-1", "env-2", "env-9"]);

    configuration.put({ environments: environmentsOf(announced(1, { version: 9, envName: "newer" })) });
    await until(() => expect(names()).toEqual(["env-1"]));
    expect(title("env-1")).toBe("newer");
    configuration.patch("environments", "env-3", announced(3, { version: 1 }));
    await until(() => expect(names()).toEqual(["env-1", "env-3"]));
  });

  test("a removed environment ends its streams", async () => {
    const relay = await startAutoConfigured({ environments: environmentsOf(announced(1), announced(2)) });
    const stream = await relay.open("/all", { headers: { authorization: "sdk-1" } });
    await stream.next();
    relay.configuration.delete("environments", "env-1", 2);
    await stream.ended;
    expect(await relay.poll("sdk-1")).toBe(401);
    expect(await relay.poll("sdk-2")).toBe(2);
  });

  test("keys that change places between environments do so in one message", async () => {
    const relay = await startAutoConfigured({ environments: environmentsOf(announced(1), announced(2)) });
    const swapped = environmentsOf(
      announced(1, { version: 2, sdkKey: { value: "sdk-2" }, mobKey: "mob-2" }),
      announced(2, { version: 2, sdkKey: { value: "sdk-1" }, mobKey: "mob-1" }),
    );
    relay.configuration.put({ environments: swapped });
    const keyOf = (id: string) => relay.relay.status().environments[id]?.mobileKey;
    await until(() => expect([keyOf("env-1"), keyOf("env-2")]).toEqual(["mob-*", "mob-*"]));
    const alice = Buffer.from('{"kind":"user","key":"alice"}').toString("base64url");
    const versionAt = async (id: string) => {
      const answer = await relay.fetch("GET", `/sdk/evalx/${id}/contexts/${alice}`);
      return answer.status === 200 ? JSON.parse(answer.body).a.version : answer.status;
    };
    await until(async () => expect([await versionAt("env-1"), await versionAt("env-2")]).toEqual([2, 1]));
  });

  test("one that runs goes on as it was while a key of it is still that of another, and gets it when it is free", async () => {
    const errors: RelayError[] = [];
    const relay = await startAutoConfigured(
      { environments: environmentsOf(announced(1), announced(2)) },
      { autoConfig: { onError: (error) => errors.push(error) } },
    );
    const stream = await relay.open("/all", { headers: { authorization: "sdk-2" } });
    await stream.next();
    const statusWith = async (authorization: string) =>
      (await relay.fetch("GET", "/msdk/evalx/contexts/eyJrZXkiOiJ1In0", { headers: { authorization } }))
        .status;
    relay.configuration.patch("environments", "env-2", announced(2, { version: 2, mobKey: "mob-1" }));
    await until(() => expect(errors).toHaveLength(1));
    expect(errors[0]?.message).toBe(
      'environment "env-2" cannot be served as it should be: environment "env-1" has the same mobileKey',
    );
    expect(await Promise.all(["mob-1", "mob-2"].map(statusWith))).toEqual([200, 200]);
    expect(await relay.poll("sdk-2")).toBe(2);
    relay.configuration.patch("environments", "env-1", announced(1, { version: 2, mobKey: "mob-x" }));
    await until(async () =>
      expect(await Promise.all(["mob-x", "mob-2"].map(statusWith))).toEqual([200, 401]),
    );
    expect(await statusWith("mob-1")).toBe(200);
    relay.upstream.environment("sdk-2").patch("flags", flag("a", 99));
    expect((await stream.next()).event).toBe("patch");
    expect(errors).toHaveLength(1);
  });

  test("of two whose keys change places and one that wants a key of them as well, all are served", async () => {
    const errors: RelayError[] = [];
    const relay = await startAutoConfigured(
      { environments: environmentsOf(announced(1), announced(2), announced(3)) },
      { autoConfig: { onError: (error) => errors.push(error) } },
    );
    const stream = await relay.open("/all", { headers: { authorization: "sdk-3" } });
    await stream.next();
    relay.configuration.put({
      environments: environmentsOf(
        announced(1, { version: 2, mobKey: "mob-2" }),
        announced(2, { version: 2, mobKey: "mob-1" }),
        announced(3, { version: 2, mobKey: "mob-1" }),
      ),
    });
    await until(() => expect(errors).toHaveLength(1));
    expect(errors[0]?.message).toContain('environment "env-3" cannot be served');
    for (const n of [1, 2, 3]) await until(async () => expect(await relay.poll(`sdk-${n}`)).toBe(n));
    relay.upstream.environment("sdk-3").patch("flags", flag("a", 99));
    expect((await stream.next()).event).toBe("patch");
  });

  test("of two environments with one key the first is served, the other reported, and served when it can be", async () => {
    const errors: RelayError[] = [];
    const relay = await startAutoConfigured(
      { environments: environmentsOf(announced(1), announced(2, { sdkKey: { value: "sdk-1" } })) },
      { autoConfig: { onError: (error) => errors.push(error) } },
    );
    const connected = () =>
      Object.entries(relay.relay.status().environments).flatMap(([name, { status }]) =>
        status === "connected" ? [name] : [],
      );
    expect(connected()).toEqual(["env-1"]);
    expect(errors).toMatchObject([
      {
        name: "RelayError",
        code: "duplicate",
        message:
          'environment "env-2" cannot be served as it should be: environment "env-1" has the same sdkKey',
      },
    ]);
    relay.configuration.delete("environments", "env-1", 2);
    await until(() => expect(connected()).toEqual(["env-2"]));
    expect(errors).toHaveLength(1);
  });
});

describe("payload filters", () => {
  const filter = (key: string, version = 1, projKey = "shop") => ({ projKey, key, version });

  test("come, change and go with all environments of their project", async () => {
    const relay = await startAutoConfigured(
      {
        environments: environmentsOf(announced(1), announced(2, { projKey: "other" })),
        filters: { f1: filter("web") },
      },
      {
        prepare(upstream) {
          for (const key of ["sdk-1", "sdk-2", "sdk-3"])
            for (const name of ["web", "app"])
              upstream
                .environment(key, name)
                .setData({ flags: { a: flag("a", name === "web" ? 100 : 200) } });
        },
      },
    );
    const { configuration } = relay;
    const names = () => Object.keys(relay.relay.status().environments);
    expect(names()).toEqual(["env-1", "env-1/web", "env-2"]);
    expect(await relay.poll("sdk-1", "web")).toBe(100);
    expect(await relay.poll("sdk-2", "web")).toBe(404);

    configuration.patch("filters", "f2", filter("app"));
    configuration.patch("environments", "env-3", announced(3));
    await until(() =>
      expect(names()).toEqual([
        "env-1",
        "env-1/app",
        "env-1/web",
        "env-2",
        "env-3",
        "env-3/app",
        "env-3/web",
      ]),
    );
    await until(async () => expect(await relay.poll("sdk-3", "app")).toBe(200));

    configuration.delete("filters", "f2", 1);
    configuration.patch("filters", "f1", filter("app", 2));
    await until(() => expect(names()).toEqual(["env-1", "env-1/app", "env-2", "env-3", "env-3/app"]));
    configuration.delete("filters", "f2", 2);
    configuration.delete("filters", "f1", 3);
    await until(() => expect(names()).toEqual(["env-1", "env-2", "env-3"]));
    expect(await relay.poll("sdk-1", "app")).toBe(404);
  });

  test("those of its new project apply to an environment that moves", async () => {
    const relay = await startAutoConfigured({
      environments: environmentsOf(announced(1)),
      filters: { f1: filter("web"), f2: filter("app", 1, "other") },
    });
    relay.configuration.patch("environments", "env-1", announced(1, { version: 2, projKey: "other" }));
    await until(() => expect(Object.keys(relay.relay.status().environments)).toEqual(["env-1", "env-1/app"]));
  });

  test("a variant that is new after a rotation asks upstream with the new key", async () => {
    const relay = await startAutoConfigured({ environments: environmentsOf(announced(1)) });
    const expiring = { value: "sdk-1", timestamp: Date.now() + 3_600_000 };
    const next = announced(1, { version: 2, sdkKey: { value: "sdk-2", expiring } });
    relay.configuration.patch("environments", "env-1", next);
    await until(async () => expect(await relay.poll("sdk-2")).toBe(2));
    relay.configuration.patch("filters", "f1", filter("web"));
    await until(() =>
      expect(relay.upstream.streamRequests.at(-1)).toMatchObject({
        path: "/all?filter=web",
        headers: { authorization: "sdk-2" },
      }),
    );
  });
});

test("calls that would change the environments say where they are changed", async () => {
  const relay = await startAutoConfigured({ environments: environmentsOf(announced(1)) });
  const { environments } = relay.relay;
  const managed = {
    name: "RelayError",
    code: "managed",
    message: expect.stringContaining("change them there"),
  };
  expect(environments.names()).toEqual(["env-1"]);
  await expect(environments.add("a", { sdkKey: "sdk-2" })).rejects.toMatchObject(managed);
  await expect(environments.update("env-1", { ttl: 0 })).rejects.toMatchObject(managed);
  await expect(environments.remove("env-1")).rejects.toMatchObject(managed);
  expect(() => environments.setUnserved({})).toThrow(expect.objectContaining(managed));
  expect(() => environments.rotateKey("env-1", { sdkKey: "sdk-2" })).toThrow(
    expect.objectContaining(managed),
  );
});

test("a host that throws when it is told harms nobody", async () => {
  const relay = await startAutoConfigured(
    { environments: environmentsOf(announced(1), announced(2, { sdkKey: { value: "a b" } })) },
    {
      autoConfig: {
        onError() {
          throw new Error("host");
        },
      },
    },
  );
  expect(await relay.poll("sdk-1")).toBe(1);
});

test("two relays with one key each have all environments", async () => {
  const first = await startAutoConfigured({ environments: environmentsOf(announced(1)) });
  const second = await startRelay({
    environments: {},
    options: { autoConfig: { key: "rel-1" } },
    reach: () => first.upstream.roles,
  });
  expect(Object.keys(second.relay.status().environments)).toEqual(["env-1"]);
  first.configuration.patch("environments", "env-2", announced(2));
  for (const { relay } of [first, second])
    await until(() => expect(Object.keys(relay.status().environments)).toEqual(["env-1", "env-2"]));
});
