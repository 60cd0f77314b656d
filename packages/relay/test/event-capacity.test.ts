import { expect, test } from "vitest";
import { entryBytes } from "../src/events/event-budget.js";
import { events, post, posts, start, turn } from "./event-relay.js";
import { keys } from "./start-relay.js";

test("a flood is bounded: the first events are kept, the others counted", async () => {
  const { relay, clock, counted } = await start({ events: { flushInterval: 1000, capacity: 250 } });
  relay.upstream.answerEvents(503);
  for (let i = 0; i < 40; i++) expect(await post(relay, events(10, i * 10))).toMatchObject({ status: 202 });
  expect(counted).toMatchObject({ events_accepted: 400, events_dropped: 150, queued_events: 250 });
  await posts(relay, clock, 2);
  relay.upstream.answerEvents(202);
  const [received] = await posts(relay, clock, 1);
  expect((received!.body as { n: number }[]).map(({ n }) => n)).toEqual(
    Array.from({ length: 250 }, (_, n) => n),
  );
});

test("a flood of bytes is bounded, also within one post", async () => {
  const { relay, counted } = await start({ events: { flushInterval: 1000, capacityBytes: 1000 } });
  await post(relay, events(50));
  expect(counted.queued_events).toBeLessThan(50);
  expect(counted.queued_events).toBeGreaterThan(0);
  expect((counted.queued_events ?? 0) + (counted.events_dropped ?? 0)).toBe(50);
});

test("of a post those are kept that fit to the byte, with the commas between them", async () => {
  const { relay, clock, counted } = await start({ events: { flushInterval: 1000, capacityBytes: 1000 } });
  const room = 1000 - 2 * entryBytes - 2 * `[4,"","verbatim","${keys.sdkKey}"]`.length;
  const rows: readonly [sizes: readonly number[], kept: number][] = [
    [[room], 1],
    [[room + 1], 0],
    [[100, room - 101], 2],
    [[100, room - 100], 1],
    [[100, 50, room - 152], 3],
    [[100, 50, room - 151], 2],
  ];
  for (const [sizes, kept] of rows) {
    await post(relay, `[${sizes.map((size) => JSON.stringify("x".repeat(size - 2))).join()}]`);
    expect(counted.queued_events ?? 0, sizes.join()).toBe(kept);
    while ((counted.queued_events ?? 0) > 0) {
      clock.advance(1000);
      await turn();
    }
  }
});
