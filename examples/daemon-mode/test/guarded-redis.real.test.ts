import { createFixedSource } from "@wye/relay";
import { expect, onTestFinished, test } from "vitest";
import { startRedis } from "../../../packages/relay-redis/test/redis-server.js";
import { fillRedis } from "../src/fill.js";
import { greeting } from "../src/greetings.js";
import { readRedis } from "../src/read.js";

test("a Redis that asks for a user and has several databases is filled and read with one URL", async () => {
  const redis = await startRedis(["user reader on >a/secret ~* +@all", "user default off"]);
  onTestFinished(() => redis.stop());
  const shared = {
    sdkKey: "sdk-example",
    redisUrl: `redis://reader:a%2Fsecret@127.0.0.1:${redis.port}/3`,
    prefix: "daemon-mode",
  };
  const relay = await fillRedis(shared, createFixedSource(greeting("Hello", 1)).source);
  onTestFinished(() => relay.close());
  const client = await readRedis(shared);
  onTestFinished(() => client.close());
  await expect
    .poll(() => client.variation("greeting", { kind: "user", key: "anna" }, "none"), { timeout: 60_000 })
    .toBe("Hello");
});
