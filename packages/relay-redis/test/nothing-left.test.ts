import { messageOf } from "@wye/relay";
import { expect, onTestFinished, test } from "vitest";
import { runAlone } from "../../../scripts/databases/run-alone.js";
import { startSilentServer } from "../../../scripts/databases/silent-server.js";
import { type RedisOptions, redisStore } from "../src/index.js";
import { contextOf, never, until } from "./fixtures.js";
import { startRedisStandIn } from "./redis-stand-in.js";

/** The ways to a server at a port, each with that one alone. */
const ways: Readonly<Record<string, (port: number) => RedisOptions>> = {
  server: (port) => ({ url: `redis://127.0.0.1:${port}` }),
  "server with TLS": (port) => ({ url: `rediss://127.0.0.1:${port}` }),
  cluster: (port) => ({ cluster: [{ host: "127.0.0.1", port }], prefix: "{ld}" }),
  sentinel: (port) => ({ sentinel: { name: "main", nodes: [{ host: "127.0.0.1", port }] } }),
};

test.each(Object.keys(ways))(
  "of a %s that takes connections and says nothing, closing leaves no connection, no call and no word",
  async (way) => {
    const silent = await startRedisStandIn({ silent: true });
    onTestFinished(() => silent.close());
    const told: string[] = [];
    const tell = (message: string) => void told.push(message);
    const store = redisStore({ ...ways[way]?.(silent.port) })({
      ...contextOf("test"),
      logger: { debug: tell, info: tell, warn: tell, error: tell },
    });
    const reading = store.read(never).catch(messageOf);
    await until(
      async () => silent.open,
      (open) => open > 0,
    );
    await store.close();
    expect(await reading).toBe("the connection to Redis is closed");
    // Within this process both ends learn of it in a few turns, however long they take; nothing waits for a time to pass.
    for (let turns = 0; turns < 1000 && silent.open > 0; turns++) await new Promise(setImmediate);
    expect(silent.open).toBe(0);
    expect(told).toEqual([]);
  },
);

test("whatever the servers do, closing leaves nothing that keeps the process alive", async () => {
  const silent = await startSilentServer();
  onTestFinished(() => silent.close());
  const options = Object.values(ways).map((way) => ({ silent: way(silent.port), refused: way(1) }));
  expect(await runAlone(program, options, new URL("..", import.meta.url))).toEqual([]);
});

/** Waits for silent servers, and between two attempts for those that refuse, and closes; tells what is left. */
const program = `
import { createStoreContext } from "@wye/relay/testing";
import { redisStore } from "@wye/relay-redis";
const active = () => process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap");
const turn = () => new Promise(setImmediate);
const signal = new AbortController().signal;
const settled = [];
const stores = JSON.parse(process.argv[1]).map((ways) => {
  const [silent, refused] = [ways.silent, ways.refused].map((way) => redisStore(way)(createStoreContext()));
  silent.read(signal).catch(() => {});
  settled.push(refused.read(signal).catch(() => {}));
  return [silent, refused];
}).flat();
await Promise.all(settled);
const sockets = () => active().filter((name) => name === "TCPSocketWrap").length;
// On a slow machine some have given up before all are there.
for (let turns = 0; turns < 10_000 && sockets() < stores.length / 2; turns++) await turn();
for (const store of stores) await store.close();
for (let turns = 0; turns < 1000 && active().length > 0; turns++) await turn();
process.stdout.write(JSON.stringify(active()));
`;
