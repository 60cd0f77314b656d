import { expect, test } from "vitest";
import {
  createFixedSource,
  type EnvironmentChanges,
  type EnvironmentOptions,
  type Environments,
} from "../src/index.js";
import type { NewKeys } from "../src/rotated-keys.js";
import { post, server, start, turn } from "./event-relay.js";
import { startEventsService } from "./events-service.js";

/** An events service that says no for a while, and then to revoked keys. */
async function eventsService() {
  const state = { isDown: true, refused: 0, revoked: new Set<string>() };
  const { taken, url } = await startEventsService((key) => {
    if (state.isDown) state.refused++;
    if (state.isDown) return 503;
    return state.revoked.has(String(key)) ? 401 : 202;
  });
  /** Which numbers have arrived with which key. */
  const arrived = () =>
    taken
      .flatMap(({ key, events }) =>
        events.flatMap(({ kind, metricValue }) => (kind === "custom" ? [[key, metricValue]] : [])),
      )
      .sort(([, a], [, b]) => Number(a) - Number(b));
  return Object.assign(state, { arrived, url });
}

const custom = (metricValue: number): string =>
  JSON.stringify([
    { kind: "custom", key: "e", creationDate: 1, metricValue, context: { kind: "user", key: "u" } },
  ]);

const upstreamData = { "sdk-1": { flags: {} }, "sdk-2": { flags: {} } };
const own = () => ({ source: createFixedSource('{"flags":{}}').source });

interface Exchange {
  readonly path: string;
  readonly environments: Readonly<Record<"one" | "two", EnvironmentOptions>>;
  readonly keys: readonly [string, string];
  readonly change: (key: string) => EnvironmentChanges;
}

const exchanges: Readonly<Record<string, Exchange>> = {
  "mobile keys": {
    path: "/mobile",
    environments: {
      one: { sdkKey: "sdk-1", mobileKey: "mob-1" },
      two: { sdkKey: "sdk-2", mobileKey: "mob-2" },
    },
    keys: ["mob-1", "mob-2"],
    change: (mobileKey) => ({ mobileKey }),
  },
  "SDK keys of environments that have flags of their own": {
    path: "/bulk",
    environments: { one: { sdkKey: "sdk-1", ...own() }, two: { sdkKey: "sdk-2", ...own() } },
    keys: ["sdk-1", "sdk-2"],
    change: (sdkKey) => ({ sdkKey }),
  },
};

/** A relay with both environments, whose events wait: number 1 and 3 of the first key, 2 and 4 of the second one. */
async function prepare({ path, environments, keys: [first, second] }: Exchange, headers = {}) {
  const service = await eventsService();
  const { relay, clock, counted } = await start({}, upstreamData, service.url);
  for (const [name, options] of Object.entries(environments)) {
    await relay.relay.environments.add(name, options);
  }
  const send = (authorization: string, n: number) =>
    post(relay, custom(n), { ...server, ...headers, authorization }, path);
  const until = async (enough: () => boolean) => {
    while (!enough()) {
      clock.advance(100);
      await turn();
    }
  };
  await send(first, 1);
  await send(second, 2);
  await until(() => service.refused >= 2);
  // These have been sent by nobody yet.
  await send(first, 3);
  await send(second, 4);
  return { service, environments: relay.relay.environments, send, until, counted };
}

for (const [what, exchange] of Object.entries(exchanges)) {
  const {
    keys: [first, second],
    change,
  } = exchange;

  test.each([
    { as: "as they are", "x-launchdarkly-event-schema": "4" },
    { as: "summarised", "x-launchdarkly-event-schema": "2" },
  ])(`while ${what} are exchanged events go out with the key that they came with, $as`, async (headers) => {
    const { service, environments, send, until, counted } = await prepare(exchange, headers);
    await environments.update("one", change("between"));
    await environments.update("two", change(first));
    await environments.update("one", change(second));
    await send(first, 5);
    await send(second, 6);
    service.isDown = false;
    await until(() => service.arrived().length >= 6);
    expect(service.arrived()).toEqual([
      [first, 1],
      [second, 2],
      [first, 3],
      [second, 4],
      [first, 5],
      [second, 6],
    ]);
    expect(counted.events_dropped ?? 0).toBe(0);
  });

  const moves: Readonly<Record<string, (environments: Environments) => Promise<void>>> = {
    "in three steps": async (environments) => {
      await environments.update("one", change("between"));
      await environments.update("two", change(first));
      await environments.update("one", change(second));
    },
    "from one to the other": async (environments) => {
      await environments.update("one", change("fresh"));
      await environments.update("two", change(first));
    },
    "by rotating": async (environments) => {
      environments.rotateKey("one", change("fresh") as NewKeys);
      environments.rotateKey("two", change(first) as NewKeys);
    },
  };
  for (const [how, move] of Object.entries(moves)) {
    test(`events whose key upstream does not take are not sent with one that was another environment's: ${what}, ${how}`, async () => {
      const { service, environments, until, counted } = await prepare(exchange);
      await move(environments);
      service.revoked.add(second).add("between");
      service.isDown = false;
      await until(() => (counted.events_delivered ?? 0) + (counted.events_dropped ?? 0) >= 4);
      expect(service.arrived()).toEqual([
        [first, 1],
        [first, 3],
      ]);
      expect(counted.events_dropped).toBe(2);
    });
  }
}

test("nor with a further SDK key that another environment has listed before", async () => {
  const service = await eventsService();
  const { relay, clock, counted } = await start({}, upstreamData, service.url);
  const { environments } = relay.relay;
  await environments.add("one", { sdkKey: "sdk-1", furtherSdkKeys: ["sdk-9"] });
  await environments.add("two", { sdkKey: "sdk-2" });
  await post(relay, custom(1), { ...server, authorization: "sdk-2" }, "/bulk");
  await environments.update("one", { furtherSdkKeys: [] });
  await environments.update("two", { furtherSdkKeys: ["sdk-9"] });
  service.revoked.add("sdk-2");
  service.isDown = false;
  while ((counted.events_dropped ?? 0) === 0 && service.arrived().length === 0) {
    clock.advance(100);
    await turn();
  }
  expect([service.arrived(), counted.events_dropped]).toEqual([[], 1]);
});

test("while upstream does not know a new key, events go with the one that it knows, at the first attempt", async () => {
  const tried: unknown[] = [];
  const { url } = await startEventsService((key) => {
    tried.push(key);
    return 202;
  });
  const { relay, clock } = await start({}, { "sdk-1": { flags: {} } }, url);
  const { environments } = relay.relay;
  await environments.add("one", { sdkKey: "sdk-1" });
  environments.rotateKey("one", { sdkKey: "sdk-new" });
  await post(relay, custom(1), { ...server, authorization: "sdk-new" }, "/bulk");
  while (tried.length === 0) {
    clock.advance(100);
    await turn();
  }
  expect(tried).toEqual(["sdk-1"]);
});
