import { onTestFinished, test } from "vitest";
import { followHistories } from "../../../scripts/databases/follow-histories.js";
import { redisStore } from "../src/index.js";
import { connectTo } from "./fixtures.js";
import { startRedis } from "./redis-server.js";

test("1,000 histories over a bad network: nothing waits, no update is lost, the status is right at last", async () => {
  const redis = await startRedis();
  const direct = await connectTo(redis.port);
  onTestFinished(async () => {
    direct.destroy();
    await redis.stop();
  });
  const database = {
    port: redis.port,
    store: (port: number) =>
      redisStore({ url: `redis://127.0.0.1:${port}`, prefix: ({ environment }) => environment }),
    contents: async (environment: string) => ({ ...(await direct.hGetAll(`${environment}:features`)) }),
    async refuseWrites(refuse: boolean) {
      await direct.sendCommand(["CONFIG", "SET", "min-replicas-to-write", refuse ? "1" : "0"]);
    },
  };
  await followHistories(database, { environments: 20, rounds: 50, seed: 20 });
});
