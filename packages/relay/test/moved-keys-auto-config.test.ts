import { expect, test } from "vitest";
import { announced, environmentsOf, startAutoConfigured } from "./start-auto-configured.js";
import { flag } from "./start-relay.js";

// The third key is a new one of the environment that has the first one.
const dataOfOne = { flags: { a: flag("a", 1) } };

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
