import { expect, test } from "vitest";
import { announced, environmentsOf, startAutoConfigured } from "./start-auto-configured.js";

const count = 300;
const all = environmentsOf(...Array.from({ length: count }, (_, n) => announced(n)));
const silent = () => ({ close() {} });

test("the environments of one message are started in many turns of the event loop", async () => {
  const relay = await startAutoConfigured({}, { autoConfig: { source: silent } });
  relay.configuration.put({ environments: all });
  const sizes: number[] = [0];
  while ((sizes.at(-1) ?? 0) < count) {
    await new Promise((resolve) => setImmediate(resolve));
    sizes.push(relay.relay.environments.names().length);
  }
  const steps = sizes.map((size, at) => size - (sizes[at - 1] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(10);
});

test("until they are there a credential is not known to be unknown", async () => {
  const relay = await startAutoConfigured({ environments: environmentsOf(announced(0)) });
  const last = `sdk-${count - 1}`;
  relay.upstream.environment(last).setData({ flags: {} });
  const asked: Promise<{ status: number }>[] = [];
  relay.configuration.put({ environments: all });
  while (relay.relay.environments.names().length < count) {
    asked.push(relay.fetch("GET", "/sdk/flags", { headers: { authorization: last } }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const coming = (await Promise.all(asked)).map(({ status }) => status);
  // What was asked before the message is read; then what comes; then what is there.
  const order = [401, 503, 200];
  expect(coming).toEqual([...coming].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
  expect(coming).toContain(503);
  expect(await relay.poll("sdk-unknown")).toBe(401);
});

test("a relay that is closed while they come starts no more", async () => {
  let started = 0;
  const relay = await startAutoConfigured(
    {},
    {
      autoConfig: {
        source() {
          if (++started === 20) void relay.relay.close({ within: 0 });
          return silent();
        },
      },
    },
  );
  relay.configuration.put({ environments: all });
  await expect.poll(() => started).toBeGreaterThanOrEqual(20);
  await relay.relay.close();
  const { length } = relay.relay.environments.names();
  expect(length).toBeLessThan(40);
  await new Promise((resolve) => setImmediate(resolve));
  expect(relay.relay.environments.names()).toHaveLength(length);
});
