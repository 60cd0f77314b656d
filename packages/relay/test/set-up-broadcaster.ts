import { PassThrough } from "node:stream";
import { createContext, parseItem } from "@wye/flag-evaluator";
import { FlagSet } from "../src/flag-set.js";
import { silentLogger } from "../src/logger.js";
import { Broadcaster } from "../src/streaming/broadcaster.js";
import type { Channel } from "../src/streaming/channel.js";
import { StreamOutput } from "../src/streaming/stream-output.js";
import { Subscriber } from "../src/streaming/subscriber.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";

const item = (version: number, text = "") =>
  parseItem("flags", "a", `{"version":${version},"on":false,"text":"${text}"}`);

/** A stream whose reader is in memory. */
export interface StreamInMemory {
  readonly subscriber: Subscriber;
  readonly res: PassThrough;
  /** What has been read of it. */
  text(): string;
  /** The events among that, with the versions in them. */
  events(): string[];
}

/** A broadcaster of one flag, and what it does. */
export interface BroadcasterUnderTest {
  readonly broadcaster: Broadcaster;
  readonly clock: ManualClock;
  readonly dropped: readonly string[];
  readonly errors: readonly string[];
  /** After which times something was to be done. */
  readonly scheduled: readonly number[];
  /** Opens a stream, whose head is taken by `writeHead`. */
  join(channel?: Channel, writeHead?: () => void): StreamInMemory;
  /** Makes the flag another one, and tells of it. */
  patch(version: number, text?: string): void;
}

/** Sets up a broadcaster whose turns end after `sliceMs`, and which has to `prepare` what it tells. */
export function setUpBroadcaster(
  sliceMs = 1000,
  prepare: () => Promise<void> | undefined = () => undefined,
): BroadcasterUnderTest {
  const flags = new FlagSet();
  flags.apply({ extent: "full", items: [item(1)] });
  const clock = createManualClock();
  const dropped: string[] = [];
  const errors: string[] = [];
  const scheduled: number[] = [];
  const broadcaster = new Broadcaster({
    prepare,
    flags,
    clock,
    sliceMs,
    stallMs: 1000,
    random: () => 0.5,
    logger: { ...silentLogger, error: (message) => errors.push(message) },
    later(ms, run) {
      scheduled.push(ms);
      return clock.schedule(ms, run);
    },
    dropped: () => dropped.push("dropped"),
  });
  const join = (channel: Channel = "all", writeHead = () => {}) => {
    const res = Object.assign(new PassThrough(), { headersSent: false, statusCode: 200, writeHead });
    let text = "";
    res.on("data", (chunk) => {
      text += chunk;
    });
    const context = createContext({ kind: "user", key: "u" });
    const view = { context, audience: "mobile", withReasons: false } as const;
    const subscriber = new Subscriber(
      { channel, audience: "mobile", ...(channel === "client" ? { view } : {}) },
      "digest",
      new StreamOutput(res),
    );
    broadcaster.join(subscriber, {});
    return {
      subscriber,
      res,
      text: () => text,
      events: () =>
        [...text.matchAll(/event: (\w+)\n.*?"version":(\d+)/g)].map(
          ([, name, version]) => `${name}${version}`,
        ),
    };
  };
  const patch = (version: number, text?: string) => {
    flags.apply({ extent: "partial", items: [item(version, text)] });
    broadcaster.update();
  };
  return { broadcaster, join, patch, clock, dropped, errors, scheduled };
}
