import { execFileSync } from "node:child_process";
import { createRelay, messageOf } from "@wye/relay";
import { createFakeUpstream } from "@wye/relay/testing";
import { expect, onTestFinished, test } from "vitest";
import { type RedisOptions, redisStore } from "../src/index.js";
import { connectTo, until } from "./fixtures.js";
import { type RedisServer, startRedis, startSentinel } from "./redis-server.js";

const prefix = "{ld}";
/** `crash` forgets what is kept under the usual name. */
const keeping = ["dbfilename older.rdb"];

/** A Redis of one's own, and the ways to it. */
const ways: Readonly<Record<string, () => Promise<{ server: RedisServer; options: RedisOptions }>>> = {
  async server() {
    const server = await start(keeping);
    return { server, options: { url: `redis://127.0.0.1:${server.port}` } };
  },
  async cluster() {
    const server = await start([...keeping, "cluster-enabled yes", "cluster-config-file nodes.conf"]);
    execFileSync("redis-cli", ["-p", String(server.port), "CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
    const direct = await connectTo(server.port);
    await until(
      () => direct.sendCommand(["CLUSTER", "INFO"]),
      (text) => String(text).includes("cluster_state:ok"),
    );
    direct.destroy();
    return { server, options: { cluster: [{ host: "127.0.0.1", port: server.port }] } };
  },
  async sentinel() {
    const server = await start([...keeping, "requirepass secret"]);
    const sentinel = await startSentinel(server.port, 1, "secret");
    onTestFinished(() => sentinel.stop());
    const nodes = [{ host: "127.0.0.1", port: sentinel.port }];
    return { server, options: { sentinel: { name: "leader", nodes }, password: "secret" } };
  },
};

async function start(lines: readonly string[]): Promise<RedisServer> {
  const server = await startRedis(lines);
  onTestFinished(() => server.stop());
  return server;
}

test.each(Object.keys(ways))(
  "flags of a %s that comes back at once, as it was some time ago, are brought up to date",
  async (way) => {
    const { server, options } = (await ways[way]?.()) ?? expect.fail();
    const data = {
      flags: { kill: { key: "kill", version: 4 }, gone: { key: "gone", version: 1 } },
      segments: {},
    };
    const upstream = await createFakeUpstream({ environments: { sdk: data } });
    onTestFinished(() => upstream.close());
    const relay = createRelay({
      upstream: upstream.roles,
      environments: { p: { sdkKey: "sdk", store: redisStore({ ...options, prefix }) } },
    });
    onTestFinished(() => relay.close());
    const kept = async () => {
      const direct = await connectTo(server.port, options.password);
      const found = await direct.hGetAll(`${prefix}:features`).finally(() => direct.destroy());
      return Object.values(found).map((text) => JSON.parse(text).version as unknown);
    };
    const keptAre = (...versions: readonly number[]) =>
      until(
        () => kept().then((found) => found.sort().join(), messageOf),
        (found) => found === versions.join(),
      );
    await keptAre(1, 4);
    const direct = await connectTo(server.port, options.password);
    await direct.sendCommand(["SAVE"]);
    direct.destroy();
    upstream.environment("sdk").patch("flags", { key: "kill", version: 5 });
    upstream.environment("sdk").delete("flags", "gone", 6);
    await keptAre(5, 6);
    await server.crash();
    await server.start();
    expect(await loadedKeys(server, options.password)).toBe(2);
    await keptAre(5, 6);
  },
);

/** How many keys a server had when it was started. */
async function loadedKeys({ port }: RedisServer, password?: string): Promise<number> {
  const direct = await connectTo(port, password);
  const text = await direct.info("persistence").finally(() => direct.destroy());
  return Number(/rdb_last_load_keys_loaded:(\d+)/.exec(text)?.[1]);
}
