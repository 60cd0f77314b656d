import { expect, test } from "vitest";
import { ConfiguredEnvironments, type EnvironmentsPort } from "./configured-environments.js";
import { RelayError } from "./error.js";
import type { EnvironmentChanges, EnvironmentOptions } from "./options/options.js";
import type { Shortfall } from "./shortfall.js";
import { createManualClock } from "./testing/manual-clock.js";

/** A configuration of a relay in which what the test names cannot be served, and what is done and told. */
function setUp() {
  const clock = createManualClock(0);
  const served = new Map<string, EnvironmentOptions>();
  const failing = new Map<string, Error>();
  const log: string[] = [];
  const reported: RelayError[] = [];
  let shortfalls: ReadonlyMap<string, Shortfall> = new Map();
  const refuse = (name: string, sdkKey: string | undefined) => {
    const error = failing.get(name);
    if (error !== undefined) throw error;
    for (const [other, { sdkKey: own, furtherSdkKeys = [] }] of served) {
      const further = furtherSdkKeys.some(
        (one) => typeof one === "object" && one.key === sdkKey && clock.now() < Number(one.expires),
      );
      if (other !== name && (own === sdkKey || further)) throw new RelayError("duplicate", `${other} has it`);
    }
  };
  const port: EnvironmentsPort = {
    addNow(name, options) {
      log.push(`add ${name} ${options.sdkKey}`);
      refuse(name, options.sdkKey);
      served.set(name, options);
    },
    updateNow(name, { mobileKey: _, ...changes }: EnvironmentChanges) {
      log.push(`update ${name} ${changes.sdkKey}`);
      refuse(name, changes.sdkKey);
      served.set(name, { sdkKey: "", ...served.get(name), ...changes });
      return { isAnew: false };
    },
    async remove(name) {
      log.push(`remove ${name}`);
      served.delete(name);
    },
    unserved: {
      replace(now) {
        shortfalls = now;
      },
      expect() {},
    },
  };
  const configured = new ConfiguredEnvironments({
    port,
    logger: { info: (message) => void log.push(message) },
    clock,
    random: () => 0.5,
    report: (error) => void reported.push(error),
  });
  const apply = (
    changes: Record<string, EnvironmentOptions | undefined>,
    broken: ReadonlyMap<string, Shortfall> = new Map(),
  ) => configured.apply(new Map(Object.entries(changes)), broken);
  /** What is done in a time. */
  const during = (ms: number) => {
    log.length = 0;
    clock.advance(ms);
    return [...log];
  };
  return { apply, clock, configured, during, failing, log, reported, served, shortfalls: () => shortfalls };
}

test("what cannot be served is tried ever more slowly, anew after a change, and told of when it is for another reason", async () => {
  const { apply, during, failing, reported, clock, shortfalls } = setUp();
  const cause = new Error("no store");
  failing.set("a", cause);
  await apply({ a: { sdkKey: "k" } });
  const add = "add a k";
  expect([during(7499), during(1)]).toEqual([[], [add]]);
  expect([during(14_999), during(1)]).toEqual([[], [add]]);
  expect(reported).toMatchObject([
    {
      code: "invalid_options",
      message: 'environment "a" cannot be served as it should be: no store',
      cause,
    },
  ]);
  expect([...shortfalls()]).toEqual([["a", { wanted: { sdkKey: "k" }, error: cause }]]);
  failing.set("a", new RelayError("store_failed", "no room"));
  await apply({ b: { sdkKey: "kb" } });
  expect([during(7499), during(1)]).toEqual([[], [add]]);
  expect(reported.slice(1)).toMatchObject([
    { code: "store_failed", message: 'environment "a" cannot be served as it should be: no room' },
  ]);
  failing.clear();
  expect(during(15_000)).toEqual([add, 'environment "a" is served as it should be']);
  expect([clock.pending, [...shortfalls()]]).toEqual([0, []]);
});

test("nothing is tried any more that is gone, or when all is closed", async () => {
  const { apply, clock, configured, failing, log } = setUp();
  failing.set("a", new Error("no"));
  await apply({ a: { sdkKey: "k" } });
  await apply({ a: undefined });
  expect(clock.pending).toBe(0);
  await apply({ a: { sdkKey: "k" } });
  expect(clock.pending).toBe(1);
  configured.close();
  expect(clock.pending).toBe(0);
  await apply({ a: { sdkKey: "other" } });
  expect([clock.pending, log.filter((line) => line.startsWith("remove"))]).toEqual([0, []]);
});

test("what waits for a key has it when that ends for another one", async () => {
  const { apply, during, served } = setUp();
  await apply({
    a: { sdkKey: "ka", furtherSdkKeys: [{ key: "k", expires: 3000 }] },
    b: { sdkKey: "k" },
  });
  expect([during(2999), served.has("b")]).toEqual([[], false]);
  expect(during(1)).toEqual(["add b k", 'environment "b" is served as it should be']);
});

test("what a configuration cannot be read of is what is told, whatever else has failed", async () => {
  const { apply, failing, shortfalls } = setUp();
  failing.set("a", new Error("no store"));
  const broken: Shortfall = { wanted: {}, error: new Error("no number") };
  await apply({ a: { sdkKey: "k" } }, new Map([["a", broken]]));
  expect([...shortfalls()]).toEqual([["a", broken]]);
});

test("keys go on from one to the other in place, and change places by setting both up anew", async () => {
  const { apply, log, served } = setUp();
  await apply({ a: { sdkKey: "1" }, b: { sdkKey: "2" } });
  log.length = 0;
  await apply({ a: { sdkKey: "2" }, b: { sdkKey: "3" } });
  expect(log).toEqual(["update a 2", "update b 3", "update a 2"]);
  await apply({ a: { sdkKey: "3" }, b: { sdkKey: "2" } });
  expect([served.get("a")?.sdkKey, served.get("b")?.sdkKey]).toEqual(["3", "2"]);
  const anew = log.filter((line) => !line.startsWith("update"));
  expect(anew).toEqual(["remove a", "remove b", "add a 3", "add b 2"]);
});

test("keys go on along three environments, of which none has to wait", async () => {
  const { apply, reported, served } = setUp();
  await apply({ a: { sdkKey: "1" }, b: { sdkKey: "2" }, c: { sdkKey: "3" } });
  await apply({ a: { sdkKey: "2" }, b: { sdkKey: "3" }, c: { sdkKey: "4" } });
  expect([["a", "b", "c"].map((name) => served.get(name)?.sdkKey), reported]).toEqual([["2", "3", "4"], []]);
});

test("whose new key is another one's keeps its own until that ends, takes the rest, and then has none", async () => {
  const { apply, during, served, shortfalls } = setUp();
  await apply({ a: { sdkKey: "1" }, b: { sdkKey: "2" } });
  await apply({ a: { sdkKey: "2", ttl: 5, furtherSdkKeys: [{ key: "1", expires: 3000 }] } });
  expect(served.get("a")).toMatchObject({ sdkKey: "1", ttl: 5, furtherSdkKeys: [] });
  expect([during(2999).filter((line) => line.startsWith("remove")), served.has("a")]).toEqual([[], true]);
  expect([during(1).at(-1), served.has("a")]).toEqual(["remove a", false]);
  expect([...shortfalls().keys()]).toEqual(["a"]);
  await apply({ b: { sdkKey: "3" } });
  await expect.poll(() => served.get("a")?.sdkKey).toBe("2");
  expect([...shortfalls().keys()]).toEqual([]);
});

test("it is told of what is removed, and not of what was never there", async () => {
  const { apply, log } = setUp();
  await apply({ a: { sdkKey: "k" } });
  await apply({ a: undefined, b: undefined });
  expect(log.slice(1)).toEqual(['environment "a" is removed', "remove a"]);
});

test.each<[string, Partial<EnvironmentOptions>]>([
  ["another client-side ID", { envId: "other" }],
  ["another source", { source: (() => {}) as never }],
  ["another store", { store: (() => {}) as never }],
  ["another store of big segments", { bigSegments: (() => {}) as never }],
])("an environment that gets %s is set up anew", async (_what, other) => {
  const { apply, log } = setUp();
  await apply({ a: { sdkKey: "k", envId: "id" } });
  await apply({ a: { sdkKey: "k", envId: "id", ...other } });
  expect(log).toEqual(["add a k", "remove a", "add a k"]);
});

test("what a configuration leaves out does not stay from before", async () => {
  const { apply, served } = setUp();
  await apply({
    a: {
      sdkKey: "k",
      secureMode: true,
      ttl: 5,
      allowedOrigins: ["https://a.example"],
      allowedHeaders: ["x-a"],
      furtherSdkKeys: ["old"],
      furtherMobileKeys: ["old"],
      clientStream: "ping",
      about: { envName: "A" },
      filters: ["web"],
    },
  });
  await apply({ a: { sdkKey: "k" } });
  expect(served.get("a")).toEqual({
    sdkKey: "k",
    secureMode: false,
    ttl: 0,
    allowedOrigins: [],
    allowedHeaders: [],
    furtherSdkKeys: [],
    furtherMobileKeys: [],
    clientStream: "evaluated",
    about: {},
    filters: [],
  });
});
