import { createParser, type EventSourceMessage } from "eventsource-parser";
import { type Clock, systemClock } from "../clock.js";
import { malformedData } from "../error.js";
import type { ResolvedUpstream, UpstreamAnswer } from "../options/resolved-sections.js";
import { timedCall } from "../timed-call.js";
import { askUpstream } from "../upstream/ask-upstream.js";
import { createLineEnds } from "./line-ends.js";
import type { SourceErrorKind } from "./source-error-kind.js";

/** Says that a connection ended and how the status calls that. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly kind: SourceErrorKind;
  /** Upstream does not accept the key. */
  readonly refusal: boolean;

  constructor(kind: SourceErrorKind, message: string, refusal = false) {
    super(message);
    this.kind = kind;
    this.refusal = refusal;
  }
}

/** What an event stream is asked for. */
export interface EventStreamRequest {
  readonly url: string;
  readonly sdkKey: string;
  readonly upstream: ResolvedUpstream;
  readonly clock: Clock;
  readonly lastEventId?: string | undefined;
  /** Ends the connection. */
  readonly signal: AbortSignal;
  /** What is done between the connection and the first event. */
  readonly onOpen?: () => Promise<void>;
  /** Upstream asks for another first pause between connections. */
  readonly onRetry?: (ms: number) => void;
}

/** How long a stream may take to begin: upstream answers at once, and who asks again may find another way. */
const longestHeadMs = 30_000;

/**
 * Connects and gives the events one by one; the next is read when the last one has been dealt with. Ends with a
 * `ConnectionError`, or with a `RelayError` for an event beyond `maxEventBytes`: a stream has no other end.
 */
export async function* eventStream(asked: EventStreamRequest): AsyncGenerator<EventSourceMessage, never> {
  const { clock, upstream, signal } = asked;
  const silence = new AbortController();
  const silent = () =>
    silence.abort(new ConnectionError("NETWORK_ERROR", "nothing was received for too long"));
  const headMs = Math.min(upstream.readTimeoutMs, longestHeadMs);
  const open = (limit: AbortSignal) =>
    connect(asked, headMs, AbortSignal.any([signal, silence.signal, limit]));
  const body = await timedCall(systemClock, headMs, open, signal).result;
  await asked.onOpen?.();
  const events: EventSourceMessage[] = [];
  let overflow = false;
  const parser = createParser({
    maxBufferSize: upstream.maxEventBytes,
    onEvent: (event) => events.push(event),
    onRetry: (ms) => asked.onRetry?.(ms),
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") overflow = true;
    },
  });
  const decoder = new TextDecoder();
  const lineEnds = createLineEnds();
  let cancelSilence = clock.schedule(upstream.readTimeoutMs, silent);
  // The connection takes a while to end.
  const stop = () => cancelSilence();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of body) {
      cancelSilence();
      parser.feed(lineEnds(decoder.decode(chunk, { stream: true })));
      for (const event of events.splice(0)) {
        yield event;
        signal.throwIfAborted();
      }
      if (overflow) throw malformedData("an event is larger than maxEventBytes");
      cancelSilence = clock.schedule(upstream.readTimeoutMs, silent);
    }
  } finally {
    cancelSilence();
    signal.removeEventListener("abort", stop);
  }
  throw new ConnectionError("NETWORK_ERROR", "upstream ended the stream");
}

async function connect(
  { url, sdkKey, upstream, lastEventId }: EventStreamRequest,
  headersTimeout: number,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { statusCode, headers, body } = await askUpstream(upstream.dispatcher, url, {
    method: "GET",
    signal,
    headersTimeout,
    // The silence of an open stream is watched with the relay's own clock.
    bodyTimeout: 0,
    headers: {
      authorization: sdkKey,
      accept: "text/event-stream",
      "cache-control": "no-cache",
      "user-agent": "wye-relay",
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    },
  });
  const other = statusCode === 200 ? otherThanEvents(headers) : undefined;
  if (statusCode === 200 && other === undefined) return body;
  // What an error page says is of no use; dropping it frees the connection.
  body.on("error", () => {}).destroy();
  const answer = other ?? String(statusCode);
  throw new ConnectionError("ERROR_RESPONSE", `upstream answered ${answer}`, refusals.has(statusCode));
}

/** What comes in place of events, such as the page of a proxy, which may stay open for ever. */
function otherThanEvents(headers: UpstreamAnswer["headers"]): string | undefined {
  const { "content-type": type, "content-encoding": coding } = headers;
  if (coding !== undefined && coding !== "identity")
    return `with compressed events (${coding}), which nobody asked for`;
  if (String(type).startsWith("text/html")) return "with a page (text/html) in place of events";
  return undefined;
}

/** What upstream answers to a wrong key. Everything else may be a proxy, a deployment, a limit: it passes. */
const refusals: ReadonlySet<number> = new Set([401, 403]);
