import { describe, expect, test } from "vitest";
import { setUpForwarder as setUp } from "../../test/set-up-forwarder.js";

const turns = async (count = 10) => {
  for (let n = 0; n < count; n++) await new Promise(setImmediate);
};
const evaluation = { kind: "feature", key: "a", version: 1, value: 1, creationDate: 1, user: { key: "u" } };
const summaryOf = (count: number) => [
  expect.objectContaining({ kind: "index" }),
  expect.objectContaining({
    kind: "summary",
    features: { a: expect.objectContaining({ counters: [{ version: 1, value: 1, count }] }) },
  }),
];
/** An event that is read in a turn of its own. */
const large = { ...evaluation, data: "x".repeat(70_000) };

test("posts that wait to be summarised at the end are, and are sent, as long as there is time", async () => {
  const { accept, end, told, counted } = setUp();
  accept(JSON.stringify([large, evaluation]));
  accept(JSON.stringify([evaluation, large]));
  expect((await end()).map(({ body }) => body)).toEqual([summaryOf(4)]);
  expect([told, counted]).toEqual([[], { events_accepted: 4, events_delivered: 2 }]);
});

test("of a post that is late in its middle each event is counted once", async () => {
  const { accept, forwarder, counted } = setUp();
  accept(JSON.stringify([{}, { n: large.data }, {}, {}]));
  // The others were read before.
  expect(await forwarder.close(Promise.resolve())).toBe(2);
  expect(counted).toEqual({ events_accepted: 4, events_dropped: 4 });
});

test("a post that is summarised when the flush after it is over is sent with the next one", async () => {
  const { accept, clock, posted, queued } = setUp();
  const post = JSON.stringify([large]);
  accept(post);
  await turns();
  clock.advance(5000);
  await expect.poll(queued).toBe(0);
  accept(post);
  // Nothing of it is counted yet.
  clock.advance(5000);
  await turns();
  expect(posted).toHaveLength(1);
  clock.advance(5000);
  await expect.poll(() => posted.length).toBe(2);
  expect(posted[1]?.body).toEqual(summaryOf(1).slice(1));
});

describe("at the end upstream is asked again after a second at most, as long as there is time", () => {
  test.each([
    { retryDelayMs: 3000, pauseMs: 1000 },
    { retryDelayMs: 1001, pauseMs: 1000 },
    { retryDelayMs: 400, pauseMs: 400 },
  ])("$retryDelayMs ms become $pauseMs", async ({ retryDelayMs, pauseMs }) => {
    const statuses = [503, 503, 503, 202];
    const { accept, clock, forwarder, posted, counted, queued } = setUp({ statuses, retryDelayMs });
    accept("[5]", { "x-launchdarkly-event-schema": "4" });
    let closed = false;
    const closing = forwarder.close(new Promise(() => {})).then(() => {
      closed = true;
    });
    for (let posts = 1; posts <= 3; posts++) {
      // Beside the flush that was due.
      await expect.poll(() => clock.pending).toBe(2);
      clock.advance(pauseMs - 1);
      await turns();
      expect([posted.length, closed]).toEqual([posts, false]);
      clock.advance(1);
      await expect.poll(() => posted.length).toBe(posts + 1);
    }
    await closing;
    expect(queued()).toBe(0);
    expect(counted).toMatchObject({ events_accepted: 1, events_delivered: 1 });
  });
});

test.each([
  { status: 202, becomes: "delivered" },
  { status: 401, becomes: "dropped" },
])(
  "that there is no room is told anew, a minute later, when what took it is $becomes",
  async ({ status }) => {
    const { accept, clock, queued, told } = setUp({ count: 1, statuses: [status] });
    for (let round = 1; round <= 3; round++) {
      for (let times = 0; times < 3; times++) accept("[5]", { "x-launchdarkly-event-schema": "4" });
      expect(told.filter((text) => text.startsWith("the event buffer is full"))).toHaveLength(round);
      clock.advance(60_000);
      await expect.poll(queued).toBe(0);
    }
  },
);

describe("diagnostics that are on their way at the end", () => {
  const body = Buffer.from('{"kind":"diagnostic"}');

  test("are tried once more at once", async () => {
    const { forwarder, clock, end, counted } = setUp({ statuses: [503, 202] });
    forwarder.forwardDiagnostic(body, {});
    await expect.poll(() => clock.pending).toBe(1);
    expect(await end()).toHaveLength(2);
    expect([clock.pending, counted]).toEqual([0, {}]);
  });

  test("are given up, and counted, when there is no time for them", async () => {
    const { forwarder, posted, queued, told, counted } = setUp({ statuses: [503] });
    for (let times = 0; times < 9; times++) forwarder.forwardDiagnostic(body, {});
    expect(await forwarder.close(Promise.resolve())).toBe(9);
    expect([posted, queued(), told, counted]).toEqual([[], 0, [], { events_dropped: 9 }]);
  });
});
