import { createFixedSource } from "@wye/relay";
import { fillRedis } from "./fill.js";
import { greeting } from "./greetings.js";
import { readRedis } from "./read.js";

const shared = {
  sdkKey: process.env.SDK_KEY ?? "sdk-example",
  redisUrl: process.env.REDIS_URL ?? "redis://localhost:6379",
  prefix: "daemon-mode",
};
const flags = createFixedSource(greeting("Hello from Redis", 1));
const relay = await fillRedis(shared, flags.source);
const client = await readRedis(shared);

let shown = "";
const look = setInterval(async () => {
  const text: string = await client.variation("greeting", { kind: "user", key: "anna" }, "no flag yet");
  if (text !== shown) console.log(text);
  shown = text;
}, 200);
const change = setTimeout(() => void flags.replace(greeting("Good evening from Redis", 2)), 3000);

process.once("SIGINT", () => {
  clearInterval(look);
  clearTimeout(change);
  client.close();
  void relay.close();
});
