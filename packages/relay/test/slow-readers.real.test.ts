import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { createManualClock } from "../src/testing/manual-clock.js";
import { turn } from "./event-relay.js";
import { keys, startRelay } from "./start-relay.js";

const headers = { authorization: keys.sdkKey };

/** A client that reads nothing after the head of the answer. */
async function stall(url: string, path: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${keys.sdkKey}\r\n\r\n`);
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  return socket;
}

test("200 slow readers cost one copy of the data and are dropped after a while; others get everything", {
  timeout: 300_000,
}, async () => {
  const dropped: number[] = [];
  const clock = createManualClock();
  const relay = await startRelay({
    options: {
      metrics: {
        count: (name, amount) => name === "streams_dropped" && dropped.push(amount),
        gauge: () => {},
      },
      clock,
    },
  });
  const sockets = await Promise.all(Array.from({ length: 200 }, () => stall(relay.url, "/all")));
  const reader = await relay.open("/all", { headers });
  await reader.next();
  const before = process.memoryUsage().rss;
  const environment = relay.upstream.environment(keys.sdkKey);
  for (let version = 1; version <= 4; version++) {
    environment.put({ flags: { big: { key: "big", version, salt: "x".repeat(8_000_000) } } });
    const { event, data } = await reader.next();
    expect(event).toBe(version === 1 ? "put" : "patch");
    expect(data).toContain(`"big","version":${version}`);
  }
  clock.advance(59_999);
  expect(dropped.length).toBe(0);
  clock.advance(1);
  while (dropped.length < 200) await turn();
  expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000);
  for (const socket of sockets) socket.destroy();
});
