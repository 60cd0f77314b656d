import { describe, expect, onTestFinished, test } from "vitest";
import { createRelay } from "../src/relay.js";
import type { Source, SourceFactory } from "../src/sources/source.js";
import { createManualClock } from "../src/testing/manual-clock.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}

describe("a factory of the host that throws", () => {
  /** Sources and stores that note what is open. */
  function createHost() {
    const open = new Set<string>();
    const source: SourceFactory = ({ sdkKey, filter }): Source => {
      if (sdkKey === "sdk-bad" || filter === "bad") throw new Error("no source");
      open.add(`source ${sdkKey}`);
      return { close: () => void open.delete(`source ${sdkKey}`) };
    };
    const store = ({ environment }: { environment: string }) => {
      if (environment === "no-store") throw new Error("no store");
      open.add(`store ${environment}`);
      return {
        read: async () => undefined,
        replace: async () => {},
        upsert: async () => [],
        close: async () => void open.delete(`store ${environment}`),
      };
    };
    return { open, source, store };
  }

  const bad = [
    { name: "a source", environments: { bad: { sdkKey: "sdk-bad" } }, message: "no source" },
    { name: "a store", environments: { "no-store": { sdkKey: "sdk-1" } }, message: "no store" },
    {
      name: "the source of a filter",
      environments: { bad: { sdkKey: "sdk-1", filters: ["bad"] } },
      message: "no source",
    },
  ];
  for (const { name, environments, message } of bad) {
    test(`${name}: createRelay throws it and leaves nothing open`, async () => {
      const clock = createManualClock();
      const { open, source, store } = createHost();
      const all = { good: { sdkKey: "sdk-good" }, ...environments };
      const options = Object.fromEntries(
        Object.entries(all).map(([name, environment]) => [name, { ...environment, source, store }]),
      );
      expect(() => createRelay({ environments: options, clock })).toThrow(message);
      await until(() => open.size === 0);
      expect(clock.pending).toBe(0);
    });

    test(`${name}: add rejects with it, leaves nothing open, and the name is free`, async () => {
      const clock = createManualClock();
      const { open, source, store } = createHost();
      const relay = createRelay({ clock });
      onTestFinished(() => relay.close({ within: 0 }));
      const [[added, options] = ["", { sdkKey: "" }]] = Object.entries(environments);
      await expect(relay.environments.add(added, { ...options, source, store })).rejects.toThrow(message);
      await until(() => open.size === 0);
      expect(clock.pending).toBe(0);
      expect(relay.environments.names()).toEqual([]);
      void relay.environments.add(added, { sdkKey: options.sdkKey });
      expect(relay.environments.names()).toEqual([added]);
    });
  }

  test("at an update: it rejects with it, and nothing has changed", async () => {
    const { open, source, store } = createHost();
    const relay = createRelay({ environments: { prod: { sdkKey: "sdk-1", source, store } } });
    onTestFinished(() => relay.close({ within: 0 }));
    const before = relay.status();
    await expect(
      relay.environments.update("prod", { sdkKey: "sdk-2", filters: ["ok", "bad"] }),
    ).rejects.toThrow("no source");
    await until(() => open.size === 2);
    expect(relay.status()).toEqual(before);
    expect([...open]).toEqual(["store prod", "source sdk-1"]);
  });

  test("at a rotation: the keys change, the old source goes on, the new one is tried again", async () => {
    const clock = createManualClock();
    const { open, source } = createHost();
    let broken = true;
    const relay = createRelay({
      clock,
      environments: {
        prod: {
          sdkKey: "sdk-1",
          source: (context) =>
            source({ ...context, sdkKey: broken && context.sdkKey === "sdk-2" ? "sdk-bad" : context.sdkKey }),
        },
      },
    });
    onTestFinished(() => relay.close({ within: 0 }));
    relay.environments.rotateKey("prod", { sdkKey: "sdk-2" }, { overlap: "1h" });
    expect([...open]).toEqual(["source sdk-1"]);
    broken = false;
    clock.advance(10_000);
    expect([...open]).toEqual(["source sdk-1", "source sdk-2"]);
  });
});
