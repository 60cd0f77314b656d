import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { scanEvents } from "../src/events/event-array.js";
import { FamilyForwarder } from "../src/events/family-forwarder.js";
import { createLanes } from "../src/lanes.js";
import { silentLogger } from "../src/logger.js";
import { atOnce } from "../src/steps.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";

/** A post as upstream has got it. */
export interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What a forwarder is set up with. */
export interface ForwarderSetUp {
  readonly bytes?: number;
  readonly count?: number;
  /** What upstream answers, one after the other, the last one for ever. */
  readonly statuses?: readonly number[];
  readonly retryDelayMs?: number;
}

/** A forwarder, and what it does. */
export interface ForwarderUnderTest {
  readonly forwarder: FamilyForwarder;
  readonly clock: ManualClock;
  readonly posted: readonly Posted[];
  /** What was told of what is wrong. */
  readonly told: readonly string[];
  readonly counted: Readonly<Record<string, number>>;
  queued(): number;
  accept(body: string | Buffer, headers?: Record<string, string>): "taken" | "too-deep";
  /** Sends everything, and looks what of it has arrived. */
  end(): Promise<readonly Posted[]>;
}

/** Sets up the forwarder of one kind of SDK before an upstream that cannot read what is not UTF-8. */
export function setUpForwarder({
  bytes = 1_000_000,
  count = 1000,
  statuses = [202],
  retryDelayMs = 3000,
}: ForwarderSetUp = {}): ForwarderUnderTest {
  const clock = createManualClock();
  const posted: Posted[] = [];
  const told: string[] = [];
  const counted: Record<string, number> = {};
  const say = (message: string) => void told.push(message);
  let queued = 0;
  const port = {
    logger: { ...silentLogger, warn: say, error: say },
    clock,
    upstream: {
      events: "http://upstream",
      eventLanes: createLanes(64),
      requestTimeoutMs: 1000,
      dispatcher: {
        async request(request: { origin: string; path: string; headers: Posted["headers"]; body?: Buffer }) {
          const { origin, path, headers, body = Buffer.alloc(0) } = request;
          const statusCode = statuses[Math.min(posted.length, statuses.length - 1)] ?? 202;
          const text = new TextDecoder("utf-8", { fatal: true }).decode(gunzipSync(body));
          posted.push({ url: origin + path, headers, body: JSON.parse(text) });
          return { statusCode, headers: {}, body: Readable.from([]) };
        },
      },
    },
    later: (ms: number, run: () => void) => clock.schedule(ms, run),
    countEvents: (name: string, more: number) => {
      counted[name] = (counted[name] ?? 0) + more;
    },
    queuedEvents: (change: number) => {
      queued += change;
    },
    sdkKeys: () => ["sdk-1"],
    mobileKeys: () => [],
    isOwnKey: () => true,
    envId: () => undefined,
    findFlag: () => undefined,
  };
  const settings = {
    flushIntervalMs: 5000,
    capacity: count,
    capacityBytes: bytes,
    maxBodyBytes: 1_000_000,
    retryDelayMs,
  };
  const forwarder = new FamilyForwarder(port, settings, {
    keys: () => ["sdk-1"],
    mayStandIn: () => true,
    request: (authorization) => ({ url: "http://upstream/bulk", authorization }),
    diagnosticUrl: () => "http://upstream/diagnostic",
  });
  return {
    forwarder,
    clock,
    posted,
    told,
    counted,
    queued: () => queued,
    accept(body, headers = {}) {
      const bytes = Buffer.from(body);
      return forwarder.accept(bytes, atOnce(scanEvents(bytes, 1000)), headers);
    },
    async end() {
      await forwarder.close(new Promise(() => {}));
      expect(queued).toBe(0);
      return posted;
    },
  };
}
