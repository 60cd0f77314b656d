import { EventBudget } from "../src/events/event-budget.js";
import { EventPublisher } from "../src/events/event-publisher.js";
import type { PublisherPort } from "../src/events/publisher-port.js";
import { createLanes, type Lanes } from "../src/lanes.js";
import { silentLogger } from "../src/logger.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";

export interface TriedPublisher {
  readonly publisher: EventPublisher;
  readonly clock: ManualClock;
  readonly budget: EventBudget;
  /** Warnings and errors. */
  readonly told: string[];
  readonly counted: Record<string, number>;
}

/** A publisher before an upstream of the test, what it said and counted, and the budget that it has. */
export function publisherBefore(
  { request }: PublisherPort["upstream"]["dispatcher"],
  {
    capacity,
    requestTimeoutMs = 1000,
    eventLanes = createLanes(64),
  }: {
    capacity: { readonly count: number; readonly bytes: number };
    requestTimeoutMs?: number;
    eventLanes?: Lanes;
  },
): TriedPublisher {
  const clock = createManualClock();
  const budget = new EventBudget(capacity, () => {});
  const told: string[] = [];
  const say = (message: string) => void told.push(message);
  const counted: Record<string, number> = {};
  const publisher = new EventPublisher(
    {
      logger: { ...silentLogger, warn: say, error: say },
      clock,
      upstream: { events: "http://upstream", requestTimeoutMs, eventLanes, dispatcher: { request } },
      later: (ms, run) => clock.schedule(ms, run),
      countEvents: (name, count) => {
        counted[name] = (counted[name] ?? 0) + count;
      },
      queuedEvents() {},
    },
    {
      flushIntervalMs: 5000,
      capacity: capacity.count,
      capacityBytes: capacity.bytes,
      maxBodyBytes: 1_000_000,
      retryDelayMs: 0,
    },
    {
      keys: () => ["sdk-1"],
      mayStandIn: () => true,
      request: (authorization) => ({ url: "http://upstream/bulk", authorization }),
    },
    { all: budget, strange: budget.part() },
  );
  return { publisher, clock, budget, told, counted };
}

/** Closes a publisher whose time is over when the test says so. */
export function closeUntilEnd(publisher: EventPublisher): { closed: Promise<number>; end: () => void } {
  let end = () => {};
  const deadline = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { closed: publisher.close(deadline), end: () => end() };
}
