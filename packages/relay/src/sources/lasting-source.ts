import { callHost, demandMade } from "../call-host.js";
import type { Change } from "../change.js";
import { messageOf } from "../message-of.js";
import { createBackoff, slowPauses } from "./backoff.js";
import type { Source, SourceContext, SourceFactory, SourceSink } from "./source.js";
import { errorKindFrom } from "./source-error-kind.js";

/**
 * Starts a source, and starts it again, ever more slowly, when upstream has refused its key. Once it is closed or started
 * anew, nothing is heard of the source that was there before.
 *
 * A factory that throws at the very start is a mistake of the host, which hears of it, unless `tolerant` is set: then, as
 * at every later start, it is a failure that may pass.
 */
export function startLastingSource(
  factory: SourceFactory,
  context: SourceContext,
  tolerant: boolean,
): Source {
  const { clock, random, sink, logger } = context;
  // A key that was made a moment ago may not be known everywhere yet; one that is wrong must not be tried often.
  const backoff = createBackoff({ ...slowPauses, random, monotonic: () => clock.monotonic() });
  /** The number of the start whose source is heard. */
  let current = 0;
  let running: Source | undefined;
  let closed = false;
  let cancelPause: (() => void) | undefined;

  function sinkOf(start: number): SourceSink {
    return {
      apply(change) {
        const applied = start === current ? apply(change) : Promise.resolve();
        // A source of the host that does not look at the outcome must not end the process.
        applied.catch(() => {});
        return applied;
      },
      interrupted(kind, message) {
        if (start === current) sink.interrupted(errorKindFrom(kind), messageOf(message));
      },
      refused(kind, message) {
        if (start !== current) return;
        stop();
        sink.refused(errorKindFrom(kind), messageOf(message));
        startLater();
      },
    };
  }

  async function apply(change: Change): Promise<void> {
    await sink.apply(change);
    backoff.good();
  }

  function start(mayThrow: boolean): void {
    try {
      run();
    } catch (error) {
      if (mayThrow) {
        close();
        throw error;
      }
      stop();
      sink.interrupted("UNKNOWN", `the source does not start: ${messageOf(error)}`);
      startLater();
    }
  }

  function run(): void {
    const own = ++current;
    const source = demandMade("a source", factory({ ...context, sink: sinkOf(own) }), ["close"]);
    // It may have been refused, or closed, before it was there.
    if (own === current) running = source;
    else closeQuietly(source);
  }

  function startLater(): void {
    if (closed) return;
    const pauseMs = backoff.nextMs();
    logger.warn(`starting the source again in ${Math.round(pauseMs)} ms`);
    cancelPause = clock.schedule(pauseMs, () => start(false));
  }

  function stop(): void {
    current++;
    cancelPause?.();
    const source = running;
    running = undefined;
    if (source !== undefined) closeQuietly(source);
  }

  function closeQuietly(source: Source): void {
    callHost(
      () => source.close(),
      (error) => logger.error(`the source could not be closed: ${messageOf(error)}`),
    );
  }

  function close(): void {
    closed = true;
    stop();
  }

  start(!tolerant);
  return { close };
}
