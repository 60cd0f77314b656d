import { describe, expect, test } from "vitest";
import { createManualClock } from "../src/testing/manual-clock.js";
import { keys, startRelay } from "./start-relay.js";

const server = { authorization: keys.sdkKey };

describe("events for which there is no time at the end are counted", () => {
  async function closeAtOnce(
    posts: readonly (readonly [path: string, body: string, headers?: Record<string, string>])[],
  ) {
    const counted: Record<string, number> = {};
    const errors: string[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => errors.push(message) };
    const count = (name: string, amount: number) => {
      counted[name] = (counted[name] ?? 0) + amount;
    };
    const relay = await startRelay({
      options: {
        clock: createManualClock(),
        logger,
        metrics: { count, gauge: () => {} },
        events: { capacity: 20_000, retryDelay: "1h" },
      },
    });
    relay.upstream.answerEvents(503);
    for (const [path, body, headers = server] of posts)
      expect(await relay.fetch("POST", path, { headers, body })).toMatchObject({ status: 202 });
    await relay.relay.close({ within: 0 });
    return { counted, errors };
  }

  test("also those that still wait to be summarised", async () => {
    const evaluation = { kind: "feature", key: "a", version: 1, user: { key: "u" }, creationDate: 1 };
    const post = JSON.stringify(Array.from({ length: 10_000 }, () => evaluation));
    const { counted, errors } = await closeAtOnce([
      ["/bulk", post],
      ["/bulk", post],
    ]);
    // At least those of the second post: it waits for its turn.
    expect(counted.events_accepted).toBe(20_000);
    expect(counted.events_dropped).toBeGreaterThanOrEqual(10_000);
    expect(errors).toEqual([
      `[prod] events: ${counted.events_dropped} could not be delivered before their environment was closed`,
    ]);
  });

  test("those of all kinds of SDK together", async () => {
    const schema = { "x-launchdarkly-event-schema": "4" };
    const { counted, errors } = await closeAtOnce([
      ["/bulk", "[1,2]", { ...server, ...schema }],
      ["/mobile", "[1]", { authorization: keys.mobileKey, ...schema }],
      ...["a", "b", "c"].map(
        (tags) => [`/events/bulk/${keys.envId}`, "[1]", { ...schema, "x-launchdarkly-tags": tags }] as const,
      ),
      ["/diagnostic", "{}"],
    ]);
    expect(counted.events_dropped).toBe(7);
    expect(errors).toEqual(["[prod] events: 7 could not be delivered before their environment was closed"]);
  });

  test("and diagnostics", async () => {
    const { counted } = await closeAtOnce([["/diagnostic", "{}"]]);
    expect(counted.events_dropped).toBe(1);
  });
});
