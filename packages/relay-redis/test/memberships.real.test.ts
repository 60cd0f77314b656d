import { onTestFinished, test } from "vitest";
import { followMemberships, type MemberDatabase } from "../../../scripts/databases/follow-memberships.js";
import { redisBigSegments } from "../src/index.js";
import { newPrefix } from "./fixtures.js";
import { shareRedis } from "./redis-server.js";

const redis = shareRedis();

for (let seed = 1; seed <= 6; seed++) {
  test(`two relays over a bad network end with the memberships of upstream, and call nothing else healthy (seed ${seed})`, async () => {
    const prefix = newPrefix();
    const { direct } = redis;
    const database: MemberDatabase = {
      port: redis.port,
      store: (port) => redisBigSegments({ url: `redis://127.0.0.1:${port}`, prefix }),
      cursor: async () => (await direct.get(`${prefix}:big_segments_cursor`)) ?? undefined,
      async empty() {
        const keys = await direct.keys(`${prefix}:*`);
        if (keys.length > 0) await direct.del(keys);
      },
      lists: async (hash) => ({
        included: [...(await direct.sMembers(`${prefix}:big_segment_include:${hash}`))],
        excluded: [...(await direct.sMembers(`${prefix}:big_segment_exclude:${hash}`))],
      }),
    };
    onTestFinished(() => database.empty());
    await followMemberships(database, { seed, steps: 60 });
  });
}
