import { describe, expect, test } from "vitest";
import { createFixedSource, type EnvironmentOptions } from "../src/index.js";
import { announced, environmentsOf, startAutoConfigured } from "./start-auto-configured.js";
import { flag, type Running } from "./start-relay.js";
import { data, fresh, one, seen, startTwo, two } from "./start-two.js";

describe("a listed key that is refused", () => {
  const problem = ({ relay }: Running) => relay.status().environments.staging?.problem;

  async function startRefusing(keys: EnvironmentOptions["furtherSdkKeys"] = [two]): Promise<Running> {
    const relay = await startTwo();
    const { environments } = relay.relay;
    void environments.remove("production");
    await environments.update("staging", { furtherSdkKeys: keys });
    expect([await seen(relay, one), await seen(relay, two)]).toEqual([1, 503]);
    expect(relay.relay.status().status).toBe("degraded");
    expect(problem(relay)).toBe(
      "sdk-*: is listed, and refused: it opens the flags of another environment than the SDK key",
    );
    return relay;
  }

  test("stays so, whatever else is changed, and is unknown once it is not listed", async () => {
    const relay = await startRefusing();
    const { environments } = relay.relay;
    await environments.update("staging", { ttl: "1m" });
    environments.rotateKey("staging", { mobileKey: "mob-new" });
    expect([await seen(relay, two), problem(relay)]).toEqual([503, expect.stringContaining("refused")]);
    await environments.update("staging", { furtherSdkKeys: [fresh] });
    expect([await seen(relay, two), await seen(relay, fresh)]).toEqual([401, 1]);
    expect([problem(relay), relay.relay.status().status]).toEqual([undefined, "healthy"]);
  });

  test("is accepted when what it opens comes to the name, without being listed once more", async () => {
    const relay = await startRefusing();
    const { environments } = relay.relay;
    const third = "sdk-4";
    relay.upstream.environment(third).setData(data[two]);
    await environments.add("other", { sdkKey: third, furtherSdkKeys: [two] });
    expect(await seen(relay, two)).toBe(2);
    await environments.update("staging", { ttl: "1m" });
    void environments.remove("other");
    expect(await seen(relay, two)).toBe(503);
    await environments.update("staging", { sdkKey: third });
    expect([await seen(relay, third), await seen(relay, two), problem(relay)]).toEqual([2, 2, undefined]);
  });

  test("is not taken from who has it with flags of its own, whatever comes to the name", async () => {
    const relay = await startRefusing();
    const { environments } = relay.relay;
    const third = "sdk-4";
    relay.upstream.environment(third).setData(data[two]);
    await environments.add("other", { sdkKey: third, furtherSdkKeys: [two] });
    await environments.remove("other");
    const { source } = createFixedSource(JSON.stringify({ flags: { a: flag("a", 7) } }));
    await environments.add("app", { sdkKey: two, source });
    await environments.update("staging", { sdkKey: third });
    expect([await seen(relay, third), await seen(relay, two)]).toEqual([2, 7]);
    expect(problem(relay)).toContain("refused");
    await environments.remove("app");
    await environments.update("staging", { ttl: "1m" });
    expect([await seen(relay, two), problem(relay)]).toEqual([2, undefined]);
  });

  test("is unknown when the environment is gone, and after its moment", async () => {
    const relay = await startRefusing([{ key: two, expires: Date.now() + 1500 }]);
    await expect.poll(() => seen(relay, two), { timeout: 20_000 }).toBe(401);
    expect(problem(relay)).toBeUndefined();
    await relay.relay.environments.update("staging", { furtherSdkKeys: [two] });
    expect(await seen(relay, two)).toBe(503);
    void relay.relay.environments.remove("staging");
    expect(await seen(relay, two)).toBe(401);
  });
});

test("upstream names an expiring key that opens another environment: 503, with a problem, until it is taken back", async () => {
  const relay = await startAutoConfigured(
    { environments: environmentsOf(announced(1), announced(2)) },
    { prepare: (upstream) => upstream.environment("sdk-3").setData({ flags: { a: flag("a", 2) } }) },
  );
  const { configuration } = relay;
  const patch = (n: number, version: number, sdkKey: object) =>
    configuration.patch("environments", `env-${n}`, announced(n, { version, sdkKey }));
  patch(2, 2, { value: "sdk-3" });
  await expect.poll(() => relay.poll("sdk-2")).toBe(401);
  patch(1, 2, { value: "sdk-1", expiring: { value: "sdk-2", timestamp: Date.now() + 3_600_000 } });
  await expect.poll(() => relay.poll("sdk-2")).toBe(503);
  const { environments, status } = relay.relay.status();
  expect([environments["env-1"]?.problem, status]).toEqual([expect.stringContaining("refused"), "degraded"]);
  expect(await relay.poll("sdk-1")).toBe(1);
  patch(1, 3, { value: "sdk-1", expiring: { value: "sdk-2", timestamp: 1 } });
  await expect.poll(() => relay.poll("sdk-2")).toBe(401);
  expect(relay.relay.status().status).toBe("healthy");
});
