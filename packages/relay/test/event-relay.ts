import type { RelayOptions } from "../src/options/options.js";
import type { FakeData } from "../src/testing/fake-environment.js";
import type { ReceivedPost } from "../src/testing/fake-upstream.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";
import { type Answer, keys, type Running, startRelay } from "./start-relay.js";

/** The headers of a server-side SDK that sends summaries. */
export const server: Record<string, string> = {
  authorization: keys.sdkKey,
  "x-launchdarkly-event-schema": "4",
};

/** A body with so many events, numbered from `from`. */
export const events = (count: number, from = 0): string =>
  JSON.stringify(Array.from({ length: count }, (_, index) => ({ kind: "x", n: from + index })));

export const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** A relay that flushes each second of a clock that stands still, and what it counted. */
export interface EventRelay {
  readonly relay: Running;
  readonly clock: ManualClock;
  /** What was counted under which name, or the last value of a gauge. */
  readonly counted: Readonly<Record<string, number>>;
}

export async function start(
  options: RelayOptions = {},
  data?: Record<string, FakeData>,
  eventsUrl?: string,
): Promise<EventRelay> {
  const clock = createManualClock();
  const counted: Record<string, number> = {};
  const relay = await startRelay({
    options: {
      clock,
      events: { flushInterval: 1000 },
      metrics: {
        count: (name, amount) => {
          counted[name] = (counted[name] ?? 0) + amount;
        },
        gauge: (name, value) => {
          counted[name] = value;
        },
      },
      ...options,
    },
    ...(data === undefined ? {} : { data }),
    reach: ({ roles }) => ({
      ...roles,
      // Or a post is tried again because the machine stood still, after a pause of a clock that stands still as well.
      requestTimeout: "1h",
      ...options.upstream,
      ...(eventsUrl === undefined ? {} : { events: eventsUrl }),
    }),
  });
  return { relay, clock, counted };
}

export const post = (
  relay: Running,
  body: string | Uint8Array,
  headers: Record<string, string> = server,
  path = "/bulk",
): Promise<Answer> => relay.fetch("POST", path, { headers, body });

/** Lets time pass until so many posts have reached upstream. */
export async function posts(relay: Running, clock: ManualClock, count: number): Promise<ReceivedPost[]> {
  const arrived = relay.upstream.takePosts(count);
  let done = false;
  void arrived.then(() => {
    done = true;
  });
  while (!done) {
    clock.advance(100);
    await turn();
  }
  // Posts are sent side by side: what they carry is compared, not which one was faster.
  return (await arrived).sort((a, b) => (JSON.stringify(a.body) < JSON.stringify(b.body) ? -1 : 1));
}
