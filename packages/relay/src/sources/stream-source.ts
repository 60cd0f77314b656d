import { isRelayError } from "../error.js";
import { messageOf } from "../message-of.js";
import { createBackoff } from "./backoff.js";
import { changeFromEvent } from "./change-from-event.js";
import { ConnectionError, eventStream } from "./event-stream.js";
import type { SourceFactory } from "./source.js";

/**
 * Reads the flags of an environment from the stream `/all` of the upstream service: connects, delivers every event,
 * connects again after a pause when the connection ends, is silent for too long or carries something malformed. Stops
 * only when upstream refuses the key.
 */
export const streamSource: SourceFactory = (context) => {
  const { sdkKey, clock, random, upstream, sink, logger } = context;
  const backoff = createBackoff({
    baseMs: 1000,
    maxMs: 30_000,
    resetAfterMs: 60_000,
    random,
    monotonic: () => clock.monotonic(),
  });
  const query = context.filter === undefined ? "" : `?filter=${encodeURIComponent(context.filter)}`;
  const url = `${upstream.stream}/all${query}`;
  let closed = false;
  let connection: AbortController | undefined;
  let cancelPause: (() => void) | undefined;
  let lastEventId: string | undefined;

  async function connect(): Promise<void> {
    cancelPause = undefined;
    connection = new AbortController();
    const { signal } = connection;
    const onRetry = (ms: number) => backoff.setBase(ms);
    try {
      for await (const event of eventStream({ url, sdkKey, upstream, clock, lastEventId, signal, onRetry })) {
        if (event.id !== undefined) lastEventId = sendable(event.id);
        const change = changeFromEvent(event.event ?? "message", event.data);
        if (change !== undefined) await sink.apply(change);
        backoff.good();
      }
    } catch (error) {
      if (closed) return;
      report(error);
    } finally {
      connection.abort();
    }
  }

  function report(error: unknown): void {
    const { kind, message, refusal } = connectionErrorFrom(error);
    if (refusal) {
      closed = true;
      sink.refused(kind, message);
      return;
    }
    sink.interrupted(kind, message);
    const pauseMs = backoff.nextMs();
    logger.warn(`upstream stream: ${message}; connecting again in ${Math.round(pauseMs)} ms`);
    cancelPause = clock.schedule(pauseMs, () => void connect());
  }

  void connect();
  return {
    close() {
      closed = true;
      cancelPause?.();
      connection?.abort();
    },
  };
};

/** An ID is sent back where it can stand in a header; upstream does as well without it. */
function sendable(id: string): string | undefined {
  return /^[\x20-\x7e]{1,200}$/.test(id) ? id : undefined;
}

function connectionErrorFrom(error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const message = messageOf(error);
  if (isRelayError(error)) {
    const malformed = error.code === "malformed_data";
    return new ConnectionError(malformed ? "INVALID_DATA" : "STORE_ERROR", message);
  }
  if (error instanceof TypeError) return new ConnectionError("UNKNOWN", message);
  return new ConnectionError("NETWORK_ERROR", message || "the connection failed");
}
