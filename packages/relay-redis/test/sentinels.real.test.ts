import { expect, onTestFinished, test } from "vitest";
import { redisStore } from "../src/index.js";
import { connectTo, contextOf, flag, never, until } from "./fixtures.js";
import { type RedisServer, startRedis, startSentinel } from "./redis-server.js";

interface Family {
  readonly leader: RedisServer;
  readonly follower: RedisServer;
  readonly sentinels: readonly RedisServer[];
}

/** A leader, a follower that has everything, and three sentinels that know of both and of each other. */
async function startFamily(): Promise<Family> {
  const lines = ["requirepass secret", "masterauth secret"];
  const leader = await start(lines);
  const follower = await start([...lines, `replicaof 127.0.0.1 ${leader.port}`]);
  const sentinels = await Promise.all([0, 1, 2].map(() => startSentinel(leader.port, 2, "secret")));
  for (const sentinel of sentinels) onTestFinished(() => sentinel.stop());
  const onFollower = await connectTo(follower.port, "secret");
  await until(
    () => onFollower.info("replication"),
    (text) => text.includes("master_link_status:up"),
  );
  onFollower.destroy();
  for (const sentinel of sentinels) {
    await until(
      async () => JSON.stringify(await tell(sentinel, "MASTER", "leader")),
      (text) => /"num-slaves"[,:]"1"/.test(text) && /"num-other-sentinels"[,:]"2"/.test(text),
    );
  }
  return { leader, follower, sentinels };
}

async function start(lines: readonly string[]): Promise<RedisServer> {
  const server = await startRedis(lines);
  onTestFinished(() => server.stop());
  return server;
}

async function tell(sentinel: RedisServer | undefined, ...words: readonly string[]): Promise<unknown> {
  const client = await connectTo(sentinel?.port ?? 0);
  try {
    return await client.sendCommand(["SENTINEL", ...words]);
  } finally {
    client.destroy();
  }
}

test.each<[string, (family: Family) => Promise<unknown>]>([
  ["dies", ({ leader }) => leader.stop()],
  ["hangs", async ({ leader }) => leader.signal("SIGSTOP")],
  ["is told to step down", ({ sentinels }) => tell(sentinels[0], "FAILOVER", "leader")],
  [
    "dies, and so does a sentinel, while another one hangs",
    async ({ leader, sentinels }) => {
      await leader.stop();
      // Two of three have to agree before one of them is lost.
      await until(
        async () => JSON.stringify(await tell(sentinels[2], "GET-MASTER-ADDR-BY-NAME", "leader")),
        (text) => !text.includes(`"${leader.port}"`),
      );
      await sentinels[0]?.stop();
      sentinels[1]?.signal("SIGSTOP");
    },
  ],
])(
  "a leader that %s, under traffic, is followed by the next one; what was acknowledged after that stays",
  async (_, fail) => {
    const family = await startFamily();
    const store = redisStore({
      sentinel: {
        name: "leader",
        nodes: family.sentinels.map(({ port }) => ({ host: "127.0.0.1", port })),
      },
      credentials: async () => ({ password: "secret" }),
    })(contextOf("test"));
    onTestFinished(() => store.close());
    await store.replace([], never);
    const failing = fail(family);
    const onFollower = await connectTo(family.follower.port, "secret");
    onTestFinished(() => onFollower.destroy());
    // Whoever is promoted loses all its connections.
    const leads = async () =>
      (await onFollower.info("replication").catch(() => ""))?.includes("role:master") === true;
    const kept = async () => {
      const text = await onFollower.hGet("launchdarkly:features", "a").catch(() => null);
      return JSON.parse(text ?? "{}").version;
    };
    let version = 0;
    await until(
      async () => {
        // What a new leader has then did not come by way of the old one.
        const ledBefore = await leads();
        await store.upsert([flag("a", ++version)], never).catch(() => {});
        return ledBefore && (await kept()) === version;
      },
      (written) => written,
    );
    await failing;
    expect((await store.read(never))?.[0]?.version).toBe(version);
  },
);
