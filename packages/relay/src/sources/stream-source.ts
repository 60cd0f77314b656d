import { createParser, type EventSourceMessage } from "eventsource-parser";
import { request } from "undici";
import { isRelayError, RelayError } from "../error.js";
import { type Backoff, createBackoff } from "./backoff.js";
import { changeFromEvent } from "./change-from-event.js";
import type { SourceContext, SourceErrorKind, SourceFactory } from "./source.js";

/** Says that a connection ended and how the status calls that. */
class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly kind: SourceErrorKind;
  readonly refusal: boolean;

  constructor(kind: SourceErrorKind, message: string, refusal = false) {
    super(message);
    this.kind = kind;
    this.refusal = refusal;
  }
}

/**
 * Reads the flags of an environment from the stream `/all` of the upstream service: connects, delivers every event,
 * connects again after a pause when the connection ends, is silent for too long or carries something malformed. Stops
 * only when upstream refuses the key.
 */
export const streamSource: SourceFactory = (context) => {
  const { clock, random, upstream, sink, logger } = context;
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
    try {
      await readStream(url, context, {
        backoff,
        signal: connection.signal,
        abort: (reason) => connection?.abort(reason),
        lastEventId: () => lastEventId,
        onId: (id) => {
          lastEventId = id;
        },
      });
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

interface Connection {
  readonly backoff: Backoff;
  readonly signal: AbortSignal;
  readonly abort: (reason: ConnectionError) => void;
  readonly lastEventId: () => string | undefined;
  readonly onId: (id: string) => void;
}

/** Reads one connection until it ends, which is always an error. */
async function readStream(url: string, context: SourceContext, connection: Connection): Promise<never> {
  const { sink, clock, upstream } = context;
  const body = await openStream(url, context, connection);
  const events: EventSourceMessage[] = [];
  let overflow = false;
  const parser = createParser({
    maxBufferSize: upstream.maxEventBytes,
    onEvent: (event) => events.push(event),
    onRetry: (ms) => connection.backoff.setBase(ms),
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") overflow = true;
    },
  });
  const decoder = new TextDecoder();
  const silent = () =>
    connection.abort(new ConnectionError("NETWORK_ERROR", "nothing was received for too long"));
  let cancelSilence = clock.schedule(upstream.readTimeoutMs, silent);
  try {
    for await (const chunk of body) {
      cancelSilence();
      parser.feed(decoder.decode(chunk, { stream: true }));
      for (const event of events.splice(0)) {
        if (event.id !== undefined) connection.onId(event.id);
        const change = changeFromEvent(event.event ?? "message", event.data);
        if (change !== undefined) await sink.apply(change);
        connection.backoff.good();
        if (connection.signal.aborted) throw connection.signal.reason;
      }
      if (overflow) throw new RelayError("malformed_data", "an event is larger than maxEventBytes");
      cancelSilence = clock.schedule(upstream.readTimeoutMs, silent);
    }
  } finally {
    cancelSilence();
  }
  throw new ConnectionError("NETWORK_ERROR", "upstream ended the stream");
}

async function openStream(
  url: string,
  { sdkKey, upstream }: SourceContext,
  { signal, lastEventId }: Connection,
): Promise<AsyncIterable<Uint8Array>> {
  const id = lastEventId();
  const { statusCode, body } = await request(url, {
    signal,
    headersTimeout: upstream.readTimeoutMs,
    // The silence of an open stream is watched with the relay's own clock.
    bodyTimeout: 0,
    ...(upstream.dispatcher === undefined ? {} : { dispatcher: upstream.dispatcher }),
    headers: {
      authorization: sdkKey,
      accept: "text/event-stream",
      "cache-control": "no-cache",
      "user-agent": "wye-relay",
      ...(id === undefined ? {} : { "last-event-id": id }),
    },
  });
  if (statusCode === 200) return body;
  // What an error page says is of no use; dropping it frees the connection.
  body.on("error", () => {}).destroy();
  throw new ConnectionError("ERROR_RESPONSE", `upstream answered ${statusCode}`, refusals.has(statusCode));
}

/** What upstream answers to a wrong key. Everything else may be a proxy, a deployment, a limit: it passes. */
const refusals: ReadonlySet<number> = new Set([401, 403]);

function connectionErrorFrom(error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (isRelayError(error)) {
    const malformed = error.code === "malformed_data";
    return new ConnectionError(malformed ? "INVALID_DATA" : "STORE_ERROR", message);
  }
  if (error instanceof TypeError) return new ConnectionError("UNKNOWN", message);
  return new ConnectionError("NETWORK_ERROR", message || "the connection failed");
}
