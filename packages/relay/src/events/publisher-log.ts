import type { Clock } from "../clock.js";
import type { Logger } from "../logger.js";
import { seldom } from "../seldom.js";

/** Says what becomes of posts, each kind of thing at most once a minute: there may be thousands of them. */
export type PublisherLog = Readonly<
  Record<"full" | "again" | "kept" | "split" | "dropped", (message: string) => void>
>;

/** Creates one that logs as warnings what may pass, and as an error what is lost. */
export function createPublisherLog(clock: Pick<Clock, "monotonic">, logger: Logger): PublisherLog {
  const warning = () => seldom(clock, (message) => logger.warn(message));
  const error = () => seldom(clock, (message) => logger.error(message));
  return { full: warning(), again: warning(), kept: warning(), split: warning(), dropped: error() };
}
