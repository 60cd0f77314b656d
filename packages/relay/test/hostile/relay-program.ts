// A relay in a process of its own, which says how long the turns of its event loop take and what memory it holds.
import { createServer } from "node:http";
import { createFixedSource, createRelay } from "../../src/index.js";

/**
 * What the process is asked: how long turns took until all events had been delivered or dropped, or what is held after a
 * collection, in bytes.
 */
export type Question = "settle" | "held";

/** What the process says when all is settled. */
export interface Measured {
  /** The longest turn since the last question, in milliseconds. */
  readonly longestTurnMs: number;
  /** Errors of the relay that are not about a body. */
  readonly errors: readonly string[];
}

const [, , upstream = "", flags = ""] = process.argv;
const errors: string[] = [];
/** Events that were answered with 202 and have neither been delivered nor dropped. */
let waiting = 0;
const relay = createRelay({
  upstream: { stream: upstream, app: upstream, events: upstream },
  environments: {
    prod: { sdkKey: "sdk-1", mobileKey: "mob-1", envId: "env-1", source: createFixedSource(flags).source },
  },
  events: { flushInterval: 50, capacity: 50_000 },
  metrics: {
    count() {},
    gauge(name, value) {
      if (name === "queued_events") waiting = value;
    },
  },
  logger: { debug() {}, info() {}, warn() {}, error: (message) => void note(message) },
});

function note(message: string): void {
  if (!/events: (?:the body is not|\d+ are not events)/.test(message)) errors.push(message);
}

let longestTurnMs = 0;
let cpu = process.cpuUsage();
let wall = performance.now();
/** How many looks in a row found nothing waiting, since the question; `undefined`: there is none. */
let settled: number | undefined;

/** Looks at the time each millisecond: when a turn takes longer, the look comes late. */
function look(): void {
  const usage = process.cpuUsage();
  const now = performance.now();
  // On a busy machine a turn waits for a processor, and other threads work beside it: neither is what the turn costs.
  const usedMs = (usage.user - cpu.user + usage.system - cpu.system) / 1000;
  longestTurnMs = Math.max(longestTurnMs, Math.min(now - wall, usedMs));
  cpu = usage;
  wall = now;
  if (settled !== undefined) settled = waiting === 0 ? settled + 1 : 0;
  // Twice: what is being done in this turn may be followed by more in the next.
  if (settled === 2) answerSettled();
  setTimeout(look, 1);
}

function answerSettled(): void {
  process.send?.({ longestTurnMs, errors: errors.splice(0) } satisfies Measured);
  settled = undefined;
  longestTurnMs = 0;
}

function held(): number {
  globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  // The collection was ours.
  cpu = process.cpuUsage();
  wall = performance.now();
  return heapUsed + Math.max(external, arrayBuffers);
}

await relay.ready();
const server = createServer(relay.handler).listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("message", (question: Question) => {
  if (question === "settle") settled = 0;
  else process.send?.(held());
});
process.on("disconnect", () => process.exit());
look();
