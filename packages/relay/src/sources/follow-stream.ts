import type { EventSourceMessage } from "eventsource-parser";
import type { Clock } from "../clock.js";
import { isRelayError } from "../error.js";
import type { Logger } from "../logger.js";
import { messageOf } from "../message-of.js";
import type { ResolvedUpstream } from "../options/resolved-sections.js";
import { createBackoff } from "./backoff.js";
import { ConnectionError, eventStream } from "./event-stream.js";

/** A stream of upstream, and what is done with it. */
export interface FollowedStream {
  readonly url: string;
  /** What it is asked for with. */
  readonly key: string;
  readonly upstream: ResolvedUpstream;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** What log lines call it. */
  readonly name: string;
  /**
   * Deals with an event; `"reconnect"` asks for a new connection. Throws or rejects when the event cannot be used; then there
   * is one as well.
   */
  onEvent(event: EventSourceMessage): Promise<unknown> | "reconnect" | undefined;
  /** The connection has ended; another follows after a pause. */
  onFailure(error: ConnectionError): void;
  /** Upstream does not accept the key. There is no other connection. */
  onRefusal(error: ConnectionError): void;
}

/**
 * Connects to a stream, hands on every event, and connects again after a pause when the connection ends, is silent for too
 * long or carries something that cannot be used. The result ends it.
 */
export function followStream(followed: FollowedStream): () => void {
  const { url, key, upstream, clock, random, logger, name } = followed;
  const monotonic = () => clock.monotonic();
  const backoff = createBackoff({ baseMs: 1000, maxMs: 30_000, resetAfterMs: 60_000, random, monotonic });
  let closed = false;
  let connection: AbortController | undefined;
  let cancelPause: (() => void) | undefined;
  let lastEventId: string | undefined;

  async function connect(): Promise<void> {
    connection = new AbortController();
    const { signal } = connection;
    const onRetry = (ms: number) => backoff.setBase(ms);
    try {
      const asked = { url, sdkKey: key, upstream, clock, lastEventId, signal, onRetry };
      for await (const event of eventStream(asked)) {
        if (closed) return;
        if (event.id !== undefined) lastEventId = sendable(event.id);
        const wish = await followed.onEvent(event);
        backoff.good();
        if (wish === "reconnect") break;
      }
      if (!closed) connectLater("upstream asks for a new connection");
    } catch (error) {
      if (!closed) report(connectionErrorFrom(error));
    } finally {
      connection.abort();
    }
  }

  function report(error: ConnectionError): void {
    if (error.refusal) {
      followed.onRefusal(error);
      return;
    }
    followed.onFailure(error);
    connectLater(error.message);
  }

  function connectLater(reason: string): void {
    const pauseMs = backoff.nextMs();
    logger.warn(`${name}: ${reason}; connecting again in ${Math.round(pauseMs)} ms`);
    cancelPause = clock.schedule(pauseMs, () => void connect());
  }

  void connect();
  return () => {
    closed = true;
    cancelPause?.();
    connection?.abort();
  };
}

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
