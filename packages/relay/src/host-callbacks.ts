import { type Logger, loggerFrom, oneLine } from "./logger.js";
import type { MetricsSink } from "./metrics.js";

/** Calls a function of the host that may throw, now or later. */
function callHost(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    const done = call();
    if (done instanceof Promise) done.catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** The logger of a host, which is given lines. That it failed can be reported nowhere else. */
export function guardedLogger(logger: Logger): Logger {
  return loggerFrom((level, message) =>
    callHost(
      () => logger[level](oneLine(message)),
      () => {},
    ),
  );
}

/** A sink of the host whose failures are reported once. */
export function guardedSink(sink: MetricsSink, logger: Logger): MetricsSink {
  let reported = false;
  function failed(error: unknown): void {
    if (!reported) logger.error(`the metrics sink failed, which is reported once: ${String(error)}`);
    reported = true;
  }
  return {
    count: (...measurement) => callHost(() => sink.count(...measurement), failed),
    gauge: (...measurement) => callHost(() => sink.gauge(...measurement), failed),
    observe: (...measurement) => callHost(() => sink.observe?.(...measurement), failed),
  };
}

/** Random numbers of the host; what is none from 0 to below 1 is replaced. */
export function guardedRandom(random: () => number): () => number {
  return () => {
    try {
      const value = random();
      if (value >= 0 && value < 1) return value;
    } catch {
      // One number is as good as another.
    }
    return Math.random();
  };
}
