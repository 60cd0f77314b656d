import { callHost, withoutRejection } from "./call-host.js";
import { type Clock, systemClock } from "./clock.js";
import { type Logger, loggerFrom, oneLine } from "./logger.js";
import { messageOf } from "./message-of.js";
import type { MetricsSink } from "./metrics.js";

/** The logger of a host, which is given lines. That it failed can be reported nowhere else. */
export function guardedLogger(logger: Logger): Logger {
  return loggerFrom((level, message) =>
    callHost(
      () => logger[level](oneLine(message)),
      () => {},
    ),
  );
}

/** Reports the first failure of something of the host. */
function reportOnce(what: string, logger: Logger): (error: unknown) => void {
  let reported = false;
  return (error) => {
    if (!reported) logger.error(`the ${what} failed, which is reported once: ${messageOf(error)}`);
    reported = true;
  };
}

/** A sink of the host whose failures are reported once. */
export function guardedSink(sink: MetricsSink, logger: Logger): MetricsSink {
  const failed = reportOnce("metrics sink", logger);
  return {
    count: (...measurement) => callHost(() => sink.count(...measurement), failed),
    gauge: (...measurement) => callHost(() => sink.gauge(...measurement), failed),
    observe: (...measurement) => callHost(() => sink.observe?.(...measurement), failed),
  };
}

/**
 * A clock of the host, in whose place that of the machine goes on when it fails, which is reported once. Whatever the host
 * does, `monotonic` never goes back, and what is scheduled runs later, once, and not after it was cancelled.
 */
export function guardedClock(clock: Clock, logger: Logger): Clock {
  const failed = reportOnce("clock", logger);
  const read = (ask: () => number, otherwise: () => number): number => {
    try {
      const value = withoutRejection(ask());
      if (Number.isFinite(value)) return value;
      failed(new TypeError("a time must be a number"));
    } catch (error) {
      failed(error);
    }
    return otherwise();
  };
  let latest = Number.NEGATIVE_INFINITY;
  let readAt = 0;
  const goOn = () => (Number.isFinite(latest) ? latest + systemClock.monotonic() - readAt : 0);
  return {
    now: () => read(() => clock.now(), systemClock.now),
    monotonic() {
      latest = Math.max(
        latest,
        read(() => clock.monotonic(), goOn),
      );
      readAt = systemClock.monotonic();
      return latest;
    },
    schedule(ms, run) {
      let over = false;
      let scheduling = true;
      const runOnce = () => {
        if (!over) run();
        over = true;
      };
      let cancel: () => void;
      try {
        cancel = withoutRejection(
          clock.schedule(ms, () => void (scheduling ? setImmediate(runOnce) : runOnce())),
        );
        if (typeof cancel !== "function") throw new TypeError("schedule must give a function that cancels");
      } catch (error) {
        failed(error);
        cancel = systemClock.schedule(ms, runOnce);
      }
      scheduling = false;
      return () => {
        over = true;
        callHost(cancel, failed);
      };
    },
  };
}

/** Random numbers of the host; what is none from 0 to below 1 is replaced. */
export function guardedRandom(random: () => number): () => number {
  return () => {
    try {
      const value = withoutRejection(random());
      if (value >= 0 && value < 1) return value;
    } catch {
      // One number is as good as another.
    }
    return Math.random();
  };
}
