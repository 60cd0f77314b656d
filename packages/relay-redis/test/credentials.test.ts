import { createManualClock } from "@wye/relay/testing";
import { expect, onTestFinished, test } from "vitest";
import { type RedisOptions, redisStore } from "../src/index.js";
import { contextOf, flag, never } from "./fixtures.js";
import { type RedisStandIn, startRedisStandIn } from "./redis-stand-in.js";

/** A store that comes with these options. */
async function storeWith(options: RedisOptions) {
  const server = await startRedisStandIn({ password: "right" });
  const told: string[] = [];
  const clock = createManualClock(0);
  const store = redisStore({ url: `redis://127.0.0.1:${server.port}`, ...options })({
    ...contextOf("test"),
    clock,
    logger: { ...contextOf("test").logger, warn: (message: string) => void told.push(message) },
  });
  onTestFinished(async () => {
    await store.close();
    await server.close();
  });
  return { server, store, told, clock };
}

/** Gives these passwords in turn, the last one from then on. */
function givenInTurn(...passwords: string[]): RedisOptions {
  const next = () => (passwords.length > 1 ? passwords.shift() : passwords[0]) ?? "";
  return { credentials: () => ({ username: "relay", password: next() }) };
}

const came = ({ greetings }: RedisStandIn) => greetings.map((words) => words[3]);

test("credentials that Redis refuses are asked for anew at once", async () => {
  const { server, store, told } = await storeWith(givenInTurn("old", "right"));
  await Promise.all([store.replace([flag("a", 1)], never), store.isFilled?.(never)]);
  expect(await store.read(never)).toHaveLength(1);
  expect(came(server)).toEqual(["old", "right"]);
  expect(told).toEqual([]);
});

test("credentials that stay refused are asked for twice, then not before a pause, and told of", async () => {
  const { server, store, told, clock } = await storeWith(givenInTurn("wrong"));
  for (let calls = 0; calls < 10; calls++) await expect(store.read(never)).rejects.toThrow("WRONGPASS");
  expect(came(server)).toHaveLength(2);
  expect(told.filter((line) => line.includes("WRONGPASS"))).toHaveLength(1);
  for (const connections of [3, 4]) {
    clock.advance(5000);
    await expect(store.read(never)).rejects.toThrow("WRONGPASS");
    expect(came(server)).toHaveLength(connections);
  }
});

test("a password of the options that Redis refuses is not tried a second time", async () => {
  const { server, store } = await storeWith({ username: "relay", password: "wrong" });
  await expect(store.read(never)).rejects.toThrow("WRONGPASS");
  expect(came(server)).toEqual(["wrong"]);
});

test.each(["NOAUTH Authentication required.", "WRONGPASS invalid username-password pair"])(
  "a connection on which Redis answers %s is made anew with other credentials, and the command repeated",
  async (refusal) => {
    const { server, store } = await storeWith(givenInTurn("right"));
    await store.replace([flag("a", 1)], never);
    server.distrust(refusal);
    expect(await store.read(never)).toHaveLength(1);
    expect(came(server)).toEqual(["right", "right"]);
    // What has helped once may be needed again.
    server.distrust(refusal);
    expect(await store.read(never)).toHaveLength(1);
    expect(server.open).toBe(1);
  },
);

test("a Redis that lets everybody in and refuses each command is not asked without a pause", async () => {
  const { server, store, clock } = await storeWith(givenInTurn("right"));
  server.refusal = "NOAUTH Authentication required.";
  for (let calls = 0; calls < 10; calls++) await expect(store.read(never)).rejects.toThrow("NOAUTH");
  expect(server.connections).toBe(2);
  clock.advance(5000);
  await expect(store.read(never)).rejects.toThrow("NOAUTH");
  expect(server.connections).toBe(3);
  server.refusal = undefined;
  clock.advance(5000);
  expect(await store.read(never)).toBeUndefined();
});
