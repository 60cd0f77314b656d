import { onTestFinished, test } from "vitest";
import { describeFaults, type TroubledDatabase } from "../../../scripts/databases/describe-faults.js";
import { followHistories } from "../../../scripts/databases/follow-histories.js";
import { redisStore } from "../src/index.js";
import { connectTo } from "./fixtures.js";
import { startRedis } from "./redis-server.js";

async function start(): Promise<TroubledDatabase> {
  const redis = await startRedis();
  const direct = await connectTo(redis.port);
  const set = async (...setting: [string, string]) => {
    await direct.sendCommand(["CONFIG", "SET", ...setting]);
  };
  return {
    port: redis.port,
    store: (port) =>
      redisStore({ url: `redis://127.0.0.1:${port}`, prefix: ({ environment }) => environment }),
    async contents(environment) {
      const key = `${environment}:features`;
      return (await direct.type(key)) === "string" ? {} : { ...(await direct.hGetAll(key)) };
    },
    refuseWrites: (refuse) => set("min-replicas-to-write", refuse ? "1" : "0"),
    fill: (full) => set("maxmemory", full ? "1" : "0"),
    async spoil(environment) {
      await direct.set(`${environment}:features`, "of somebody else");
    },
    async empty(environment) {
      await direct.del([`${environment}:features`, `${environment}:$inited`]);
    },
    async stop() {
      direct.destroy();
      await redis.stop();
    },
  };
}

describeFaults(start);

test("1,000 histories over a bad network: nothing waits, no update is lost, the status is right at last", async () => {
  const database = await start();
  onTestFinished(() => database.stop());
  await followHistories(database, { environments: 20, rounds: 50, seed: 20 });
});
