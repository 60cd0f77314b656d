import { describe, expect, test } from "vitest";
import {
  type AutoConfigured,
  announced,
  environmentsOf,
  startAutoConfigured,
} from "./start-auto-configured.js";
import { flag } from "./start-relay.js";

// The third key is a new one of the environment that has the first one.
const dataOfOne = { flags: { a: flag("a", 1) } };

/** The status of a request with a mobile key. */
async function mobile({ fetch }: AutoConfigured, authorization: string): Promise<number> {
  const path = `/msdk/evalx/contexts/${Buffer.from('{"key":"u"}').toString("base64url")}`;
  return (await fetch("GET", path, { headers: { authorization } })).status;
}

test("a key that upstream has announced as expiring does not outlive an exchange that says nothing of it", async () => {
  const relay = await startAutoConfigured(
    { environments: environmentsOf(announced(1), announced(2)) },
    { prepare: (upstream) => upstream.environment("sdk-3").setData(dataOfOne) },
  );
  const expiring = { value: "sdk-1", timestamp: Date.now() + 3_600_000 };
  relay.configuration.patch(
    "environments",
    "env-1",
    announced(1, { version: 2, sdkKey: { value: "sdk-3", expiring } }),
  );
  await expect.poll(() => relay.poll("sdk-3")).toBe(1);
  expect(await relay.poll("sdk-1")).toBe(1);
  const exchanged = [
    announced(1, { version: 3, sdkKey: { value: "sdk-2" } }),
    announced(2, { version: 3, sdkKey: { value: "sdk-3" } }),
  ];
  relay.configuration.put({ environments: environmentsOf(...exchanged) });
  await expect.poll(() => relay.poll("sdk-1")).toBe(401);
  await expect.poll(async () => [await relay.poll("sdk-2"), await relay.poll("sdk-3")]).toEqual([2, 1]);
});

test("nor does one that has been announced as expiring since the start", async () => {
  const expiring = { value: "sdk-1", timestamp: Date.now() + 3_600_000 };
  const relay = await startAutoConfigured(
    { environments: environmentsOf(announced(1, { sdkKey: { value: "sdk-3", expiring } }), announced(2)) },
    { prepare: (upstream) => upstream.environment("sdk-3").setData(dataOfOne) },
  );
  expect(await relay.poll("sdk-1")).toBe(1);
  const exchanged = [
    announced(1, { version: 2, sdkKey: { value: "sdk-2" } }),
    announced(2, { version: 2, sdkKey: { value: "sdk-3" } }),
  ];
  relay.configuration.put({ environments: environmentsOf(...exchanged) });
  await expect.poll(async () => [await relay.poll("sdk-2"), await relay.poll("sdk-3")]).toEqual([2, 1]);
  relay.configuration.patch("environments", "env-1", { ...exchanged[0], version: 3, envName: "Other" });
  await expect.poll(() => relay.relay.status().environments["env-1"]?.envName).toBe("Other");
  expect(await relay.poll("sdk-1")).toBe(401);
});

test("beside a key that another environment still has nothing is taken of what is announced with the new one", async () => {
  const relay = await startAutoConfigured(
    {
      environments: environmentsOf(
        announced(1, { sdkKey: { value: "sdk-2" } }),
        announced(2, { sdkKey: { value: "sdk-3" } }),
      ),
    },
    { prepare: (upstream) => upstream.environment("sdk-3").setData(dataOfOne) },
  );
  const expiring = { value: "sdk-1", timestamp: Date.now() + 3_600_000 };
  const right = announced(1, { version: 2, sdkKey: { value: "sdk-3", expiring } });
  relay.configuration.patch("environments", "env-1", right);
  await expect.poll(() => relay.poll("sdk-1")).toBe(503);
  relay.configuration.patch("environments", "env-2", announced(2, { version: 2 }));
  const keys = ["sdk-1", "sdk-2", "sdk-3"];
  await expect.poll(() => Promise.all(keys.map((key) => relay.poll(key)))).toEqual([1, 2, 1]);
});

describe("a new key is taken with the expiring key that tells what it opens, however the messages come", () => {
  // Each message with what a key is answered once it has come.
  const steps: readonly [string, ...(readonly [message: string, sdkKey: string, status: number])[]][] = [
    ["one put", ["put", "sdk-3", 503]],
    ["its environment first", ["patch env-2", "sdk-3", 503], ["patch env-1", "sdk-1", 503]],
    [
      "its environment first, the other one goes",
      ["patch env-2", "sdk-3", 503],
      ["delete env-1", "sdk-1", 503],
    ],
    ["the other one goes first", ["delete env-1", "sdk-1", 401], ["patch env-2", "sdk-1", 503]],
  ];
  test.each(steps)("%s", async (_, ...messages) => {
    const relay = await startAutoConfigured(
      { environments: environmentsOf(announced(1), announced(2)) },
      { prepare: (upstream) => upstream.environment("sdk-3").setData(dataOfOne) },
    );
    const { upstream, configuration } = relay;
    upstream.environment("sdk-3").answer(503);
    const expiring = { value: "sdk-1", timestamp: Date.now() + 3_600_000 };
    const now = {
      "env-1": announced(1, { version: 2, sdkKey: { value: "sdk-2" } }),
      "env-2": announced(2, { version: 2, sdkKey: { value: "sdk-3", expiring } }),
    };
    for (const [message, sdkKey, status] of messages) {
      const [kind, id = ""] = message.split(" ");
      if (kind === "put") configuration.put({ environments: now });
      else if (kind === "delete") configuration.delete("environments", id, 2);
      else configuration.patch("environments", id, now[id === "env-1" ? id : "env-2"]);
      await expect.poll(() => relay.poll(sdkKey)).toBe(status);
    }
    expect(await relay.poll("sdk-3")).toBe(503);
    upstream.environment("sdk-3").answer("data");
    const both = async () => [await relay.poll("sdk-1"), await relay.poll("sdk-3")];
    await expect.poll(both, { timeout: 20_000 }).toEqual([1, 1]);
  });
});

describe("an exchange in which an expiring key moves along is carried out", () => {
  const cases = {
    "by one put": ["put"],
    "by patches": ["env-1", "env-2"],
    "the other way": ["env-2", "env-1"],
  };
  test.each(Object.entries(cases))("%s", async (_, messages) => {
    const expiring = { value: "sdk-3", timestamp: Date.now() + 3_600_000 };
    const moving = { value: "sdk-2", expiring };
    const dataOfTwo = { flags: { a: flag("a", 2) } };
    const relay = await startAutoConfigured(
      { environments: environmentsOf(announced(1), announced(2, { sdkKey: moving })) },
      { prepare: (upstream) => upstream.environment("sdk-3").setData(dataOfTwo) },
    );
    const now = {
      "env-1": announced(1, { version: 2, mobKey: "mob-2", sdkKey: moving }),
      "env-2": announced(2, { version: 2, mobKey: "mob-1", sdkKey: { value: "sdk-1" } }),
    };
    for (const message of messages) {
      if (message === "put") relay.configuration.put({ environments: now });
      else relay.configuration.patch("environments", message, now[message === "env-1" ? message : "env-2"]);
    }
    const expiringKeys = () => {
      const { environments } = relay.relay.status();
      return [environments["env-1"]?.expiringSdkKey, environments["env-2"]?.expiringSdkKey];
    };
    await expect.poll(expiringKeys).toEqual([expect.stringContaining("sdk-"), undefined]);
    await expect.poll(() => relay.relay.status().status).toBe("healthy");
    const keys = ["sdk-1", "sdk-2", "sdk-3"];
    await expect.poll(() => Promise.all(keys.map((key) => relay.poll(key)))).toEqual([1, 2, 2]);
  });
});

test("a mobile key does not stay with the flags of another environment because the one that comes with them is another's", async () => {
  const relay = await startAutoConfigured({
    environments: environmentsOf(announced(1), announced(2), announced(3)),
  });
  relay.configuration.delete("environments", "env-1", 2);
  const moved = announced(3, { version: 2, mobKey: "mob-2", sdkKey: { value: "sdk-1" } });
  relay.configuration.patch("environments", "env-3", moved);
  await expect.poll(() => relay.poll("sdk-1")).toBe(1);
  expect([await mobile(relay, "mob-2"), await mobile(relay, "mob-3")]).toEqual([200, 401]);
  relay.configuration.patch("environments", "env-3", { ...moved, version: 3, envName: "Other" });
  await expect.poll(() => relay.relay.status().environments["env-3"]?.envName).toBe("Other");
  expect(await mobile(relay, "mob-3")).toBe(401);
  relay.configuration.patch("environments", "env-2", announced(2, { version: 2, mobKey: "mob-3" }));
  await expect.poll(() => relay.relay.status().status).toBe("healthy");
  expect([await mobile(relay, "mob-2"), await mobile(relay, "mob-3")]).toEqual([200, 200]);
});

test("a mobile key waits for the SDK key that it is announced with", async () => {
  const relay = await startAutoConfigured({ environments: environmentsOf(announced(1), announced(2)) });
  const moved = announced(1, { version: 2, mobKey: "mob-9", sdkKey: { value: "sdk-2" } });
  relay.configuration.patch("environments", "env-1", moved);
  await expect.poll(() => relay.relay.status().environments["env-1"]?.problem).toBeDefined();
  expect([await mobile(relay, "mob-1"), await mobile(relay, "mob-9")]).toEqual([200, 503]);
  relay.configuration.patch(
    "environments",
    "env-2",
    announced(2, { version: 2, sdkKey: { value: "sdk-3" } }),
  );
  await expect.poll(() => relay.relay.status().status).toBe("healthy");
  expect([await mobile(relay, "mob-1"), await mobile(relay, "mob-9")]).toEqual([401, 200]);
});

describe("a key that follows one that had to wait opens nothing of the former flags", () => {
  const at = Date.now() + 3_600_000;
  const listed = { value: "sdk-3", expiring: { value: "sdk-2", timestamp: at } };
  const shapes: [string, { expiring?: object }, object][] = [
    ["another's", {}, { value: "sdk-2" }],
    ["one listed with another's", {}, listed],
    [
      "another's, while a former key is remembered",
      { expiring: { value: "sdk-7", timestamp: at } },
      { value: "sdk-2" },
    ],
  ];
  test.each(shapes)("%s", async (_, rest, sdkKey) => {
    const first = announced(1, { sdkKey: { value: "sdk-1", ...rest } });
    const relay = await startAutoConfigured(
      { environments: environmentsOf(first, announced(2)) },
      { prepare: (upstream) => upstream.environment("sdk-9").answer("silent") },
    );
    relay.configuration.patch("environments", "env-1", announced(1, { version: 2, mobKey: "mob-9", sdkKey }));
    await expect.poll(() => relay.relay.status().environments["env-1"]?.problem).toBeDefined();
    const followed = announced(1, { version: 3, mobKey: "mob-9", sdkKey: { value: "sdk-9" } });
    relay.configuration.patch("environments", "env-1", followed);
    await expect.poll(() => relay.accepted("sdk-1", "sdk-7")).toEqual([]);
    const answers = [await relay.poll("sdk-9"), await mobile(relay, "mob-9"), await relay.poll("sdk-2")];
    expect(answers).toEqual([503, 503, 2]);
    const exchanged = announced(2, { version: 2, sdkKey: { value: "sdk-1" } });
    relay.configuration.patch("environments", "env-2", exchanged);
    await expect.poll(() => relay.poll("sdk-1")).toBe(1);
    expect(await relay.poll("sdk-9")).toBe(503);
  });
});

test("a former key that is only remembered tells nothing of the keys that come after it", async () => {
  const expiring = { value: "sdk-4", timestamp: Date.now() + 3_600_000 };
  const relay = await startAutoConfigured(
    {
      environments: environmentsOf(announced(2, { sdkKey: { value: "sdk-2", expiring } }), announced(3)),
    },
    { prepare: (upstream) => upstream.environment("sdk-9").answer("silent") },
  );
  relay.configuration.delete("environments", "env-3", 2);
  relay.configuration.patch(
    "environments",
    "env-2",
    announced(2, { version: 2, sdkKey: { value: "sdk-3" } }),
  );
  await expect.poll(() => relay.poll("sdk-3")).toBe(3);
  relay.configuration.patch(
    "environments",
    "env-2",
    announced(2, { version: 3, sdkKey: { value: "sdk-9" } }),
  );
  await expect.poll(() => relay.poll("sdk-3")).toBe(401);
  expect([await relay.poll("sdk-9"), await relay.poll("sdk-4")]).toEqual([3, 401]);
});

describe("what is announced takes a key from an environment where it is only remembered as expiring", () => {
  const expiring = { value: "sdk-3", timestamp: Date.now() + 3_600_000 };
  const shapes = {
    "as expiring": { value: "sdk-4", expiring },
    "as the present one": { value: "sdk-3" },
  };
  test.each(Object.entries(shapes))("%s", async (_, sdkKey) => {
    const relay = await startAutoConfigured({
      environments: environmentsOf(announced(1), announced(2, { sdkKey: { value: "sdk-2", expiring } })),
    });
    relay.configuration.patch("environments", "env-2", announced(2, { version: 2 }));
    relay.configuration.patch("environments", "env-1", announced(1, { version: 2, sdkKey }));
    await expect.poll(() => relay.poll(sdkKey.value)).toBe(Number(sdkKey.value.slice(4)));
    const status = () => relay.relay.status();
    await expect.poll(() => status().status).toBe("healthy");
    expect(status().environments["env-1"]).not.toHaveProperty("problem");
    expect(status().environments["env-2"]).not.toHaveProperty("expiringSdkKey");
  });
});

describe("a new key does not open what another environment is announced with, however the messages come", () => {
  const cases = {
    "by one put": ["put"],
    "the new key first": ["env-2", "env-1"],
    "the known key first": ["env-1", "env-2"],
  };
  test.each(Object.entries(cases))("%s", async (_, messages) => {
    const relay = await startAutoConfigured(
      { environments: environmentsOf(announced(1), announced(2)) },
      { prepare: (upstream) => upstream.environment("sdk-3").answer(503) },
    );
    const expiring = { value: "sdk-4", timestamp: Date.now() + 3_600_000 };
    const now = {
      "env-1": announced(1, { version: 2, mobKey: "mob-2", sdkKey: { value: "sdk-2" } }),
      "env-2": announced(2, { version: 2, mobKey: "mob-3", sdkKey: { value: "sdk-3", expiring } }),
    };
    for (const message of messages) {
      if (message === "put") relay.configuration.put({ environments: now });
      else relay.configuration.patch("environments", message, now[message === "env-1" ? message : "env-2"]);
    }
    await expect.poll(() => relay.poll("sdk-2")).toBe(2);
    expect([await relay.poll("sdk-3"), await relay.poll("sdk-4"), await mobile(relay, "mob-3")]).toEqual([
      503, 503, 503,
    ]);
    relay.upstream.environment("sdk-3").answer("data");
    const opened = async () => [
      await relay.poll("sdk-2"),
      await relay.poll("sdk-3"),
      await relay.poll("sdk-4"),
    ];
    await expect.poll(opened, { timeout: 20_000 }).toEqual([2, 3, 3]);
  });
});

/** Two environments that change places: the first has got a key of the second, whose flags have not come when the next key takes its place. */
async function startWithSilentKey() {
  const dataOfTwo = { flags: { a: flag("a", 2) } };
  const relay = await startAutoConfigured(
    { environments: environmentsOf(announced(1), announced(2)) },
    {
      prepare(upstream) {
        for (const key of ["sdk-4", "sdk-5"]) upstream.environment(key).setData(dataOfTwo);
        upstream.environment("sdk-4").answer("silent");
      },
    },
  );
  const say = (n: number, version: number, sdkKey: object) =>
    relay.configuration.patch("environments", `env-${n}`, announced(n, { version, sdkKey }));
  say(1, 2, { value: "sdk-4" });
  await expect.poll(() => relay.poll("sdk-1")).toBe(401);
  return { relay, say };
}

test("a key that was taken for one of another environment is accepted where it is listed once that has turned out", async () => {
  const { relay, say } = await startWithSilentKey();
  say(1, 3, { value: "sdk-5", expiring: { value: "sdk-4", timestamp: Date.now() + 3_600_000 } });
  say(2, 2, { value: "sdk-1" });
  const keys = ["sdk-1", "sdk-4", "sdk-5"];
  await expect.poll(() => Promise.all(keys.map((key) => relay.poll(key)))).toEqual([1, 2, 2]);
  expect(relay.relay.status().status).toBe("healthy");
});

test("and where it is listed once more only later, when its moment is put off", async () => {
  const { relay, say } = await startWithSilentKey();
  say(1, 3, { value: "sdk-5", expiring: { value: "sdk-4", timestamp: 1 } });
  say(2, 2, { value: "sdk-1" });
  const keys = ["sdk-1", "sdk-4", "sdk-5"];
  await expect.poll(() => Promise.all(keys.map((key) => relay.poll(key)))).toEqual([1, 401, 2]);
  say(1, 4, { value: "sdk-5", expiring: { value: "sdk-4", timestamp: Date.now() + 3_600_000 } });
  await expect.poll(() => relay.poll("sdk-4")).not.toBe(401);
  expect(await relay.poll("sdk-4")).toBe(2);
  expect(relay.relay.status().status).toBe("healthy");
});
