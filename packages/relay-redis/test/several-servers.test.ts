import { expect, onTestFinished, test } from "vitest";
import { type RedisOptions, redisStore } from "../src/index.js";
import { contextOf, described, flag, never, until } from "./fixtures.js";
import { startRedisStandIn } from "./redis-stand-in.js";

async function start(options: { readonly password?: string } = {}) {
  const server = await startRedisStandIn(options);
  onTestFinished(() => server.close().catch(() => {}));
  return server;
}

/** A store with what it warns of. */
function openWith(options: RedisOptions) {
  const told: string[] = [];
  const { logger, ...context } = contextOf("test");
  const warn = (message: string) => void told.push(message);
  const store = redisStore({ prefix: "{ld}", ...options })({ ...context, logger: { ...logger, warn } });
  onTestFinished(() => store.close());
  return { store, told };
}

const nodeOf = ({ port }: { readonly port: number }) => ({ host: "127.0.0.1", port });

/** Two servers of which the first leads, and what makes the second one lead: it has what the first one had. */
async function startPair(options: { readonly password?: string } = {}) {
  const [first, second] = [await start(options), await start(options)];
  second.leader = first.port;
  const move = () => {
    for (const [key, value] of first.keys) second.keys.set(key, structuredClone(value));
    first.leader = second.port;
    second.leader = second.port;
    first.disconnect();
  };
  return { first, second, move };
}

test("of a cluster that has moved to another node the next call asks that one, and a loss is counted", async () => {
  const { first, second, move } = await startPair();
  const { store } = openWith({ cluster: [nodeOf(first), nodeOf(second)] });
  await store.replace([flag("a", 1)], never);
  expect(described(await store.read(never))).toEqual(described([flag("a", 1)]));
  expect([[...first.keys.keys()], second.keys.size]).toEqual([["{ld}:features", "{ld}:$inited"], 0]);
  expect(store.losses?.()).toBe(0);
  move();
  await until(
    () => store.upsert([flag("a", 2)], never).then(described, () => undefined),
    (items) => items !== undefined,
  );
  expect(described(await store.read(never))).toEqual(described([flag("a", 2)]));
  expect(first.commands.filter(({ name }) => name.startsWith("EVAL")).length).toBeGreaterThan(0);
  expect(store.losses?.()).toBe(1);
  await store.close();
  await until(
    async () => first.open + second.open,
    (open) => open === 0,
  );
});

test("a node that was never reached is no loss, however often it is asked", async () => {
  const [first, away] = [await start(), await start()];
  first.leader = away.port;
  await away.close();
  const { store, told } = openWith({ cluster: [nodeOf(first)] });
  for (let calls = 0; calls < 3; calls++) await expect(store.read(never)).rejects.toThrow("ECONNREFUSED");
  expect(told.join()).toContain(`ECONNREFUSED 127.0.0.1:${away.port}`);
  expect(store.losses?.()).toBe(0);
});

test("sentinels are asked who leads, as another user than the leader, and a leader that has changed is a loss", async () => {
  const { first, second, move } = await startPair({ password: "secret" });
  const sentinel = await start({ password: "guard" });
  sentinel.leader = first.port;
  const { store } = openWith({
    password: "secret",
    sentinel: { name: "main", nodes: [nodeOf(sentinel)], credentials: { username: "me", password: "guard" } },
  });
  await store.replace([flag("a", 1)], never);
  expect(described(await store.read(never))).toEqual(described([flag("a", 1)]));
  expect(sentinel.keys.size).toBe(0);
  expect(new Set(sentinel.greetings.map((words) => words.slice(0, 4).join(" ")))).toEqual(
    new Set(["3 AUTH me guard"]),
  );
  expect(first.greetings[0]?.slice(0, 4)).toEqual(["3", "AUTH", "default", "secret"]);
  expect(store.losses?.()).toBe(0);
  move();
  sentinel.leader = second.port;
  await until(
    () => store.upsert([flag("a", 2)], never).then(described, () => undefined),
    (items) => items !== undefined,
  );
  expect(described(await store.read(never))).toEqual(described([flag("a", 2)]));
  expect(store.losses?.()).toBe(1);
  await store.close();
  await until(
    async () => first.open + second.open + sentinel.open,
    (open) => open === 0,
  );
});

test("a leader that sentinels announce is asked at once and is a loss, what else they announce is none", async () => {
  const [first, second] = [await start(), await start()];
  const sentinel = await start();
  sentinel.leader = first.port;
  const { store } = openWith({ sentinel: { name: "main", nodes: [nodeOf(sentinel)] } });
  await store.replace([flag("a", 1)], never);
  const asked = () => sentinel.commands.filter(({ name }) => name === "SENTINEL").length;
  const announced = async (channel: string) => {
    const before = asked();
    sentinel.announce(channel);
    await until(
      async () => asked(),
      (times) => times > before,
    );
  };
  await announced("+sdown");
  expect(await store.read(never)).toHaveLength(1);
  expect([store.losses?.(), second.connections]).toEqual([0, 0]);
  for (const [key, value] of first.keys) second.keys.set(key, structuredClone(value));
  sentinel.leader = second.port;
  await announced("+odown");
  await until(
    async () => second.open,
    (open) => open > 0,
  );
  expect(await store.upsert([flag("a", 2)], never)).toEqual([]);
  expect(described(await store.read(never))).toEqual(described([flag("a", 2)]));
  expect(second.keys.get("{ld}:features")).toEqual(new Map([["a", flag("a", 2).json]]));
  expect(store.losses?.()).toBe(1);
  await announced("+slave");
  expect(await store.read(never)).toHaveLength(1);
  expect(store.losses?.()).toBe(1);
});

test("a number of a database in the URL is chosen", async () => {
  const server = await start();
  const { store } = openWith({ url: `redis://127.0.0.1:${server.port}/3` });
  await store.replace([flag("a", 1)], never);
  expect(server.commands.map(({ name }) => name)).toContain("SELECT");
  const { store: other } = openWith({ url: `redis://127.0.0.1:${server.port}` });
  server.commands.length = 0;
  await other.read(never);
  expect(server.commands.map(({ name }) => name)).not.toContain("SELECT");
});

test("many sentinels that are away are no leak, and keep nobody from the one that is there", async () => {
  const heard: Error[] = [];
  const hear = (warning: Error) => void heard.push(warning);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  const server = await start();
  const away = Array.from({ length: 12 }, (_, at) => ({ host: "127.0.0.1", port: at + 1 }));
  const { store } = openWith({ sentinel: { name: "main", nodes: [...away, nodeOf(server)] } });
  await store.replace([flag("a", 1)], never);
  expect(described(await store.read(never))).toEqual(described([flag("a", 1)]));
  await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toEqual([]);
});
