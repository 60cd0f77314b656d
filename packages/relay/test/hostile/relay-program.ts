// A relay in a process of its own, which says how long the turns of its event loop take and what memory it holds.
import { createServer } from "node:http";
import { createFixedSource, createRelay } from "../../src/index.js";

/** What the process says when it is asked. */
export interface Measured {
  /** The longest turn since the last question, in milliseconds. */
  readonly longestTurnMs: number;
  /** What is held after a collection, in bytes. */
  readonly heldBytes: number;
  /** Events that were answered with 202 and have neither been delivered nor dropped. */
  readonly waiting: number;
  /** Errors of the relay that are not about a body. */
  readonly errors: readonly string[];
}

const [, , upstream = "", flags = ""] = process.argv;
const errors: string[] = [];
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

/** Looks at the time each millisecond: when a turn takes longer, the look comes late. */
function look(): void {
  const used = process.cpuUsage(cpu);
  const passed = performance.now() - wall;
  // On a busy machine a turn waits for a processor, and other threads work beside it: neither is what the turn costs.
  longestTurnMs = Math.max(longestTurnMs, Math.min(passed, (used.user + used.system) / 1000));
  cpu = process.cpuUsage();
  wall = performance.now();
  setTimeout(look, 1);
}

function measure(): Measured {
  const measured = { longestTurnMs, waiting, errors: errors.splice(0) };
  globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  // The collection was ours.
  longestTurnMs = 0;
  cpu = process.cpuUsage();
  wall = performance.now();
  return { ...measured, heldBytes: heapUsed + Math.max(external, arrayBuffers) };
}

await relay.ready();
const server = createServer(relay.handler).listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("message", () => process.send?.(measure()));
process.on("disconnect", () => process.exit());
look();
