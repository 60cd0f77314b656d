import { createFixedSource } from "@wye/relay";
import { expect, onTestFinished, test } from "vitest";
import { fillRedis } from "./fill.js";
import { greeting } from "./greetings.js";
import { readRedis } from "./read.js";

test("an SDK that knows only Redis follows the flags, also after the relay has gone", async () => {
  const redisUrl = process.env.WYE_REDIS_URL;
  if (redisUrl === undefined) throw new Error("WYE_REDIS_URL has to name a Redis; .ci/run starts one");
  const shared = { sdkKey: "sdk-1", redisUrl, prefix: `daemon-mode-${process.pid}` };
  const flags = createFixedSource(greeting("hello", 1));
  const relay = await fillRedis(shared, flags.source);
  onTestFinished(() => relay.close());
  const client = await readRedis(shared);
  onTestFinished(() => client.close());
  const says = async (text: string) => {
    while ((await client.variation("greeting", { kind: "user", key: "anna" }, "")) !== text) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await says("hello");
  await flags.replace(greeting("good evening", 2));
  await says("good evening");
  await relay.close();
  expect(await client.variation("greeting", { kind: "user", key: "anna" }, "")).toBe("good evening");
});
