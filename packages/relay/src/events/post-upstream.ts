import { systemClock } from "../clock.js";
import type { Lanes } from "../lanes.js";
import { messageOf } from "../message-of.js";
import type { UpstreamDispatcher } from "../options/resolved-sections.js";
import { timedCall } from "../timed-call.js";
import { askUpstream } from "../upstream/ask-upstream.js";
import { discard } from "../upstream/discard.js";

/** What became of a post. */
export type PostOutcome =
  | {
      readonly kind: "accepted";
      /** What upstream's clock showed, in Unix milliseconds. */
      readonly serverTime: number | undefined;
    }
  /** It may work later: the network, a server that is busy or down, or one that has a fault. */
  | {
      readonly kind: "retryable";
      readonly reason: string;
      /** What else may be at fault: the content, as likely as not, or rather the server. */
      readonly fault?: "content" | "server";
    }
  /** Less of it may work. */
  | { readonly kind: "too-large"; readonly reason: string }
  /** It will not work with the same key. */
  | { readonly kind: "unauthorized"; readonly reason: string }
  /** It will not work with the same content. */
  | { readonly kind: "refused"; readonly reason: string };

/** What became of a post that upstream has not taken. */
export type PostFailure = Exclude<PostOutcome, { readonly kind: "accepted" }>;

/** How a post is made. */
export interface PostOptions {
  readonly dispatcher: UpstreamDispatcher;
  /** How long connecting, the answer, and then its body may take, each of them. Sending has time of its own. */
  readonly timeoutMs: number;
  /** Ends the post. */
  readonly signal: AbortSignal;
}

/** What is sent more slowly than this does not come through; it is time to try anew. */
const slowestBytesPerMs = 64;

/** Posts to the events service and says what became of it. Never rejects, and ends when the signal is aborted. */
export async function postUpstream(
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string | string[]>>,
  options: PostOptions,
): Promise<PostOutcome> {
  try {
    return await post(url, body, headers, options);
  } catch (error) {
    const reason = messageOf(error);
    const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
    // A header that cannot be sent now cannot be sent later.
    return { kind: unsendable.has(code) ? "refused" : "retryable", reason };
  }
}

/** What Node and undici call a header that cannot be sent. */
const unsendable: ReadonlySet<unknown> = new Set([
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "UND_ERR_INVALID_ARG",
]);

async function post(
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string | string[]>>,
  { dispatcher, timeoutMs, signal }: PostOptions,
): Promise<PostOutcome> {
  const sentAndAnsweredMs = timeoutMs + Math.floor(body.length / slowestBytesPerMs);
  const ask = (limit: AbortSignal) =>
    askUpstream(dispatcher, url, {
      method: "POST",
      body,
      headers: { ...headers },
      headersTimeout: sentAndAnsweredMs,
      bodyTimeout: timeoutMs,
      signal: limit,
    });
  // A dispatcher of the host may pay no attention to what it is told. The network does not go by the relay's clock.
  const response = await timedCall(systemClock, timeoutMs + sentAndAnsweredMs, ask, signal).result;
  // The status says it all; an answer that goes on and on is cut off.
  const drop = (limit: AbortSignal) => discard(response.body, limit);
  await timedCall(systemClock, timeoutMs, drop, signal).result.catch(() => {});
  const { statusCode, headers: answered } = response;
  if (statusCode >= 200 && statusCode < 300) {
    const time = Date.parse(String(answered.date));
    return { kind: "accepted", serverTime: Number.isNaN(time) ? undefined : time };
  }
  const reason = `upstream answered ${statusCode}`;
  if (statusCode === 401 || statusCode === 403) return { kind: "unauthorized", reason };
  if (statusCode === 413) return { kind: "too-large", reason };
  if (statusCode === 400) return { kind: "retryable", reason, fault: "content" };
  if (statusCode >= 500) return { kind: "retryable", reason, fault: "server" };
  const final = statusCode >= 400 && ![408, 429].includes(statusCode);
  return { kind: final ? "refused" : "retryable", reason };
}

/** Posts when there is a lane for it, and waits for none when the signal is aborted. */
export async function postInLane(
  lanes: Lanes,
  post: () => Promise<PostOutcome>,
  signal: AbortSignal,
): Promise<PostOutcome> {
  try {
    return await lanes(post, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    return { kind: "retryable", reason: messageOf(error) };
  }
}

/** Where a publisher sends, and as whom: as a key or an ID of the environment. */
export interface EventDestination {
  /** Those that upstream may know now, the likeliest first. Events are sent as the first one when they were taken before any other one. */
  readonly keys: () => readonly string[];
  /** Whether events that were taken as another one may be sent as this one. */
  readonly mayStandIn: (key: string) => boolean;
  readonly request: (key: string) => { readonly url: string; readonly authorization: string | undefined };
}

/** What sends to upstream, and for how long it waits. */
interface Upstream {
  readonly dispatcher: UpstreamDispatcher;
  readonly requestTimeoutMs: number;
}

/** What is posted. */
interface Post {
  readonly id: string;
  readonly body: Buffer;
  readonly metadata: { readonly schema: number; readonly tags: string; readonly key: string | undefined };
}

/** Posts as whom upstream knows: while keys are replaced that may be one or the other. */
export async function postAsKnown(
  given: Post,
  { keys, mayStandIn, request }: EventDestination,
  upstream: Upstream,
  signal: AbortSignal,
): Promise<PostOutcome> {
  let outcome: PostOutcome = { kind: "unauthorized", reason: "there is no key to send with" };
  const tried = new Set<string>();
  // Keys may be set while upstream is being asked.
  const next = () => keys().find((key) => !tried.has(key) && mayStandIn(key));
  for (let key = given.metadata.key ?? next(); key !== undefined; key = next()) {
    tried.add(key);
    outcome = await postEvents(given, request(key), upstream, signal);
    if (outcome.kind !== "unauthorized") break;
  }
  return outcome;
}

function postEvents(
  { id, metadata, body }: Post,
  { url, authorization }: ReturnType<EventDestination["request"]>,
  { dispatcher, requestTimeoutMs }: Upstream,
  signal: AbortSignal,
): Promise<PostOutcome> {
  return postUpstream(
    url,
    body,
    {
      "content-type": "application/json",
      "content-encoding": "gzip",
      "user-agent": "wye-relay",
      "x-launchdarkly-event-schema": String(metadata.schema),
      "x-launchdarkly-payload-id": id,
      ...(metadata.tags === "" ? {} : { "x-launchdarkly-tags": metadata.tags }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    { dispatcher, timeoutMs: requestTimeoutMs, signal },
  );
}
