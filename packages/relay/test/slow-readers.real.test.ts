import { expect, test } from "vitest";
import { createManualClock } from "../src/testing/manual-clock.js";
import { turn } from "./event-relay.js";
import { openSlow } from "./open-slow.js";
import { keys, startRelay } from "./start-relay.js";

const headers = { authorization: keys.sdkKey };

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
  const sockets = await Promise.all(Array.from({ length: 200 }, () => openSlow(relay.url, "/all")));
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
