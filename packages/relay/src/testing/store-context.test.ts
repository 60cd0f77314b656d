import { expect, test } from "vitest";
import { silentLogger } from "../logger.js";
import { createManualClock } from "./manual-clock.js";
import { createStoreContext, type StoreContextOptions } from "./store-context.js";

test("a context of which nothing is said has no client-side ID, no filter and nothing of a relay, and its clock stands at 0", () => {
  const { clock, ...rest } = createStoreContext();
  expect(rest).toStrictEqual({
    environment: "test",
    envId: undefined,
    filter: undefined,
    logger: { ...silentLogger, error: expect.any(Function) },
  });
  expect([clock.now(), clock.monotonic()]).toEqual([0, 0]);
  expect(createStoreContext().clock).not.toBe(clock);
});

test.each<StoreContextOptions>([
  { environment: "production" },
  { envId: "env-1" },
  { filter: "web" },
  { logger: { ...silentLogger } },
  { clock: createManualClock(5) },
  { keyDigests: () => ["digest"] },
  { isStale: true },
])("what a test has otherwise is taken, and the rest is as usual: %j", (options) => {
  const told: string[] = [];
  const context = createStoreContext({ told, ...options });
  const [[name, value] = ["", undefined]] = Object.entries(options);
  expect(context[name as keyof typeof context]).toBe(value);
  const usual = Object.entries(createStoreContext()).filter(([other]) => other !== name);
  for (const [other, expected] of usual)
    expect(JSON.stringify(context[other as keyof typeof context])).toBe(JSON.stringify(expected));
  expect(Object.keys(context).sort()).toEqual([...usual.map(([other]) => other), name].sort());
});

test("errors are told, each of them, and nothing less than an error is", () => {
  const told: string[] = [];
  const { logger } = createStoreContext({ told });
  logger.debug("a");
  logger.info("b");
  logger.warn("c");
  logger.error("d");
  logger.error("e");
  expect(told).toEqual(["d", "e"]);
  expect(() => createStoreContext().logger.error("nobody hears it")).not.toThrow();
});
