import { expect, test } from "vitest";
import { createManualClock } from "../src/testing/manual-clock.js";
import { keys, startRelay } from "./start-relay.js";

const context = Buffer.from('{"kind":"user","key":"u"}').toString("base64url");

test("streams that go before their time leave nothing that waits for it, and the others end at theirs", async () => {
  const clock = createManualClock();
  const numbers = [0, 0.5, 1 - Number.EPSILON];
  let taken = 0;
  const { open } = await startRelay({
    options: {
      clock,
      random: () => numbers[taken++ % numbers.length] ?? 0,
      streams: { maxConnectionTime: "10m", heartbeat: 0 },
    },
    // Nobody waits for upstream meanwhile, nor for the first flags.
    reach: ({ roles }) => ({ ...roles, readTimeout: "10h" }),
  });
  clock.advance(60_000);
  for (const path of [`/ping/${keys.envId}`, `/eval/${keys.envId}/${context}`]) {
    const before = clock.pending;
    taken = 0;
    const streams = [await open(path), await open(path), await open(path)];
    expect(clock.pending).toBe(before + 3);
    streams[1]?.close();
    await expect.poll(() => clock.pending).toBe(before + 2);
    clock.advance(540_001);
    await streams[2]?.ended;
    await expect.poll(() => clock.pending).toBe(before + 1);
    streams[0]?.close();
    await expect.poll(() => clock.pending).toBe(before);
  }
});
