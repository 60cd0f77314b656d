import { createFixedSource, createRelay } from "@wye/relay";
import { expect, onTestFinished, test } from "vitest";
import { startBigSegmentUpstream } from "../../../scripts/databases/big-segment-upstream.js";
import { redisBigSegments, redisStore } from "../src/index.js";
import { connectTo, contextOf, flag, never, until } from "./fixtures.js";
import { type RedisServer, startRedis, startSentinel } from "./redis-server.js";

interface Family {
  readonly leader: RedisServer;
  readonly follower: RedisServer;
  readonly sentinels: readonly RedisServer[];
}

/** A leader, a follower that has everything, and three sentinels that know of both and of each other. */
async function startFamily(ofFollower: readonly string[] = []): Promise<Family> {
  const lines = ["requirepass secret", "masterauth secret"];
  const leader = await start(lines);
  const follower = await start([...lines, ...ofFollower, `replicaof 127.0.0.1 ${leader.port}`]);
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
    const onFollower = await connectTo(family.follower.port, "secret");
    onTestFinished(() => onFollower.destroy());
    // A leader acknowledges what its followers do not have yet, and what dies with it is nobody's promise.
    await until(
      () => onFollower.exists("launchdarkly:$inited"),
      (count) => count === 1,
    );
    const failing = fail(family);
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

test("a step of a big segment that the next leader lacks is taken again, without a word of upstream", async () => {
  const family = await startFamily(["replica-read-only no"]);
  const upstream = await startBigSegmentUpstream();
  onTestFinished(() => upstream.close());
  const step = (previousVersion: string, version: string, included: object) =>
    ({ environmentId: "e", segmentId: "beta.g1", previousVersion, version, changes: { included } }) as const;
  upstream.history.push(step("", "v1", { add: ["alice"] }), step("v1", "v2", { remove: ["alice"] }));
  const segments = { beta: { key: "beta", version: 1, unbounded: true, generation: 1 } };
  const relay = createRelay({
    environments: {
      production: {
        sdkKey: "sdk",
        source: createFixedSource(JSON.stringify({ flags: {}, segments })).source,
        bigSegments: redisBigSegments({
          sentinel: {
            name: "leader",
            nodes: family.sentinels.map(({ port }) => ({ host: "127.0.0.1", port })),
          },
          password: "secret",
        }),
      },
    },
    upstream: { stream: upstream.url, polling: upstream.url },
    events: false,
  });
  onTestFinished(() => relay.close({ within: "100ms" }));
  const onFollower = await connectTo(family.follower.port, "secret");
  onTestFinished(() => onFollower.destroy());
  const [cursor, list] = ["launchdarkly:big_segments_cursor", "launchdarkly:big_segment_include:alice"];
  const cursorIs = (version: string) =>
    until(
      () => onFollower.get(cursor).catch(() => null),
      (found) => found === version,
    );
  await cursorIs("v2");
  await until(
    async () => relay.status().environments.production?.bigSegmentStatus?.potentiallyStale,
    (isStale) => isStale === false,
  );
  const requests = upstream.requests.length;
  // As if it had never heard of the last step.
  await onFollower.set(cursor, "v1");
  await onFollower.sAdd(list, "beta.g1");
  await family.leader.stop();
  await cursorIs("v2");
  expect(await onFollower.sMembers(list)).toEqual([]);
  expect(upstream.requests.slice(requests)).toContain("/sdk/big-segments/revisions?after=v1 sdk");
});

test("credentials that the leader refuses are asked for anew at once", async () => {
  const family = await startFamily();
  const nodes = family.sentinels.map(({ port }) => ({ host: "127.0.0.1", port }));
  const passwords = ["old", "secret"];
  const credentials = () => ({ password: passwords.shift() ?? "secret" });
  const store = redisStore({ sentinel: { name: "leader", nodes }, credentials })(contextOf("test"));
  onTestFinished(() => store.close());
  await store.replace([flag("a", 1)], never);
  expect(await store.read(never)).toHaveLength(1);
});
