import { expect, test } from "vitest";
import { setUpBroadcaster as setUp } from "../../test/set-up-broadcaster.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("who is behind is sent no heartbeat in the middle of an event; others are", async () => {
  const { broadcaster, join, patch } = setUp();
  const behind = join();
  await turn();
  behind.res.pause();
  patch(2, "x".repeat(1_000_000));
  await turn();
  const idle = join("ping");
  broadcaster.heartbeat();
  behind.res.resume();
  for (let i = 0; i < 20; i++) await turn();
  expect([behind.text().endsWith('"}}\n\n'), /^:$/m.test(behind.text())]).toEqual([true, false]);
  expect(idle.text()).toMatch(/\n:\n$/);
  broadcaster.heartbeat();
  await turn();
  expect(behind.text()).toMatch(/\n\n:\n$/);
});

test.each([
  { changes: 15, told: "patch17" },
  { changes: 16, told: "put18" },
])("who has missed $changes changes is told $told", async ({ changes, told }) => {
  const { join, patch } = setUp();
  const stream = join();
  await turn();
  stream.res.pause();
  patch(2, "x".repeat(100_000));
  await turn();
  for (let version = 3; version <= 2 + changes; version++) {
    patch(version);
    await turn();
  }
  stream.res.resume();
  for (let i = 0; i < 5; i++) await turn();
  expect(stream.events()).toEqual(["put1", "patch2", told]);
});

test("who takes part after part of a large event stays; who takes nothing of it for the time given goes", async () => {
  const { join, patch, clock, dropped } = setUp();
  const stream = join();
  await turn();
  stream.res.pause();
  patch(2, "x".repeat(4_000_000));
  await turn();
  for (let size = 0; size < 2_000_000 && dropped.length === 0; ) {
    clock.advance(900);
    const part: Buffer | null = stream.res.read();
    size += part?.length ?? 0;
    await turn();
  }
  expect(dropped).toEqual([]);
  clock.advance(1000);
  expect(dropped).toHaveLength(1);
  expect(stream.res.destroyed).toBe(true);
});

test("who has gone while it was behind is not counted as dropped", async () => {
  const { broadcaster, join, patch, clock, dropped } = setUp();
  const stream = join();
  await turn();
  stream.res.pause();
  patch(2, "x".repeat(1_000_000));
  await turn();
  broadcaster.leave(stream.subscriber);
  clock.advance(5000);
  expect(dropped).toEqual([]);
});

test("whoever stalls after another was cut off is cut off as well", async () => {
  const { broadcaster, join, patch, clock, dropped } = setUp();
  for (const version of [2, 3, 4]) {
    const stream = join();
    await turn();
    stream.res.pause();
    patch(version, "x".repeat(1_000_000));
    await turn();
    clock.advance(1000);
    expect(stream.res.destroyed).toBe(true);
    expect(dropped).toHaveLength(version - 1);
    broadcaster.leave(stream.subscriber);
  }
});

test("whoever takes nothing is cut off in time, whatever others take that have waited as long", async () => {
  const { join, patch, clock, dropped } = setUp();
  const [reads, stalls] = [join(), join()];
  await turn();
  for (const { res } of [reads, stalls]) res.pause();
  patch(2, "x".repeat(4_000_000));
  await turn();
  clock.advance(600);
  reads.res.read();
  await turn();
  clock.advance(400);
  expect([dropped.length, reads.res.destroyed, stalls.res.destroyed]).toEqual([1, false, true]);
  clock.advance(600);
  expect([dropped.length, reads.res.destroyed]).toEqual([2, true]);
});

test("a reader is told more when it has taken what it was told, and only what there is then", async () => {
  const { broadcaster, join, patch, clock, dropped } = setUp();
  const stream = join();
  await turn();
  stream.res.pause();
  // More than it takes before it is read.
  patch(2, "x".repeat(100_000));
  await turn();
  for (let version = 3; version < 12; version++) {
    patch(version);
    broadcaster.heartbeat();
    await turn();
  }
  stream.res.resume();
  for (let i = 0; i < 5; i++) await turn();
  expect(stream.events()).toEqual(["put1", "patch2", "patch11"]);
  // It has caught up: it is told at once, and has nothing to take.
  patch(12);
  await turn();
  expect(stream.events().at(-1)).toBe("patch12");
  clock.advance(5000);
  expect(dropped).toEqual([]);
});
