import { expect, onTestFinished, test } from "vitest";
import { startFaultProxy } from "../../../scripts/databases/fault-proxy.js";
import { redisBigSegments, redisStore } from "../src/index.js";
import { connectTo, contextOf, flag, never, until } from "./fixtures.js";
import { startRedis } from "./redis-server.js";

test("a planned fail-over behind one address that cuts no connection is followed, by flags and members", async () => {
  const [first, second] = [await startRedis(), await startRedis()];
  const proxy = await startFaultProxy(first.port);
  const [before, after] = [await connectTo(first.port), await connectTo(second.port)];
  onTestFinished(async () => {
    for (const client of [before, after]) client.destroy();
    await proxy.close();
    await first.stop();
    await second.stop();
  });
  const options = { url: `redis://127.0.0.1:${proxy.port}`, prefix: "ld" };
  const store = redisStore(options)(contextOf("test"));
  const members = redisBigSegments(options)(contextOf("test"));
  await after.sendCommand(["REPLICAOF", "127.0.0.1", String(first.port)]);
  await until(
    () => after.info("replication"),
    (text) => text.includes("master_link_status:up"),
  );
  await store.replace([flag("a", 1)], never);
  await members.setSynchronizedOn(1, never);
  await until(
    () => after.exists("ld:big_segments_synchronized_on"),
    (count) => count === 1,
  );
  await after.sendCommand(["REPLICAOF", "NO", "ONE"]);
  await before.sendCommand(["REPLICAOF", "127.0.0.1", String(second.port)]);
  proxy.target = second.port;
  for (const write of [
    () => store.upsert([flag("a", 2)], never),
    () => members.setSynchronizedOn(2, never),
  ]) {
    await expect(write()).rejects.toThrow(/^(READONLY|LOADING|MASTERDOWN)/);
    await write();
  }
  expect(JSON.parse((await after.hGet("ld:features", "a")) ?? "{}").version).toBe(2);
  expect(await after.get("ld:big_segments_synchronized_on")).toBe("2");
  await store.close();
  await members.close();
});
