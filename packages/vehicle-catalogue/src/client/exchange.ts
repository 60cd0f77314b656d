import { apiKeyHeader, jsonApiMediaType } from "../protocol.js";
import type { ClientSettings } from "./client-settings.js";
import { type Failure, failureToError } from "./failure.js";
import { type Answer, isDocument, parseJson, type RawDocument } from "./json-api-document.js";
import { type ReadBody, readBody } from "./read-body.js";
import { parseRetryAfter } from "./retry-after.js";
import { hookOver, unlessAborted } from "./unless-aborted.js";
import type { VehicleClientError, VehicleClientErrorCode } from "./vehicle-client-error.js";
import type { RequestEvent } from "./vehicle-client-options.js";

/** What ends an exchange early. */
export interface Limit {
  readonly signal: AbortSignal;
  /** What the signal aborts with when the time is up. */
  readonly timeout: VehicleClientError;
}

/**
 * Sends one request and reads the answer: a document, or what went wrong. An abort rejects with the signal's reason; but what the head of a
 * failure has said holds also where the time was up before the rest of it came.
 */
export async function exchange(
  { url, attempt }: RequestEvent,
  settings: ClientSettings,
  { signal, timeout }: Limit,
): Promise<Answer | VehicleClientError> {
  const { clock, hooks, redactor, cache } = settings;
  const kept = cache?.get(url);
  await hookOver(hooks.request?.({ url, attempt }), signal);
  const sentAt = clock.now();
  const head = await send(url, kept?.etag, settings, signal);
  if ("code" in head) return failureToError(head, { url, attempt }, redactor);
  const { response, status, etag } = head;
  const requestId = redactor.text(head.requestId) || undefined;
  const durationMs = clock.now() - sentAt;
  await hookOver(hooks.response?.({ url, attempt, status, durationMs, requestId }), signal);

  const stillHolds = status === 304 && kept;
  if (stillHolds && etag && !isSameTag(etag, kept.etag)) {
    // Something between mixes up its entries: which document holds, it does not say.
    cache?.remove(url);
    return exchange({ url, attempt }, settings, { signal, timeout });
  }
  // Who only says that it holds need not say since when.
  const lastModified = head.lastModified || (stillHolds ? kept.lastModified : undefined);
  const body: ReadBody = stillHolds || (await readBody(response, settings.maxBodyBytes, signal, timeout));
  if (head.isSuccess && body.cause === timeout) throw timeout;
  const outcome = stillHolds || head.isSuccess ? readSuccess(body) : readFailure(head);
  const { text, bytes } = body;
  if ("code" in outcome) return failureToError(outcome, { url, attempt, status, requestId, text }, redactor);
  if (etag) cache?.set(url, { etag, text, bytes, lastModified });
  return { document: outcome.document, lastModified };
}

/** What compresses on the way may weaken a tag, by `W/` before it. */
const isSameTag = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one);

/** What is used of a response, read once. */
interface Head {
  /** For its body. */
  readonly response: Response;
  readonly status: number;
  readonly isSuccess: boolean;
  readonly requestId: string;
  readonly location: string;
  readonly etag: string;
  readonly lastModified: string;
  readonly retryAfterMs: number | undefined;
}

/** Whatever keeps `fetch` from answering is a failure, except an abort. */
async function send(
  url: string,
  etag: string | undefined,
  { fetch, apiKey, clock }: ClientSettings,
  signal: AbortSignal,
): Promise<Head | Failure> {
  try {
    const response = fetch(url, {
      headers: {
        accept: `${jsonApiMediaType}, application/json;q=0.9`,
        [apiKeyHeader]: apiKey,
        ...(etag && { "if-none-match": etag }),
      },
      // A redirect that is followed takes the key along, wherever it leads.
      redirect: "manual",
      signal,
    });
    return readHead(await unlessAborted(signal, response), clock.now());
  } catch (cause) {
    signal.throwIfAborted();
    return { code: "network", cause, retryable: true };
  }
}

/** An unknown `fetch` may answer anything. */
function readHead(response: Response, now: number): Head | Failure {
  try {
    const { status, ok, headers } = response;
    const text = (name: string): string => headers.get(name) ?? "";
    return {
      response,
      status,
      isSuccess: ok,
      requestId: text("x-request-id"),
      location: text("location"),
      etag: text("etag"),
      lastModified: text("last-modified"),
      retryAfterMs: parseRetryAfter(headers, now),
    };
  } catch (cause) {
    return { code: "network", problem: "fetch gave no Response", cause };
  }
}

function readSuccess({ text, problem, cause }: ReadBody): { readonly document: RawDocument } | Failure {
  const document = parseJson(() => text);
  if (!problem && isDocument(document)) return { document };
  return {
    code: "invalid_response",
    problem: problem ?? "no JSON:API document",
    cause,
    // Not every platform notices that a body stops before its end.
    retryable: problem ? cause !== undefined : document === undefined && text.startsWith("{"),
  };
}

function readFailure({ status, location, retryAfterMs }: Head): Failure {
  const code = codeOfStatus(status);
  return {
    code,
    problem: code === "redirected" ? `redirects are not followed: ${location}` : "",
    retryable: status === 429 || (status >= 502 && status <= 504),
    retryAfterMs,
  };
}

const codesOfStatus: { readonly [status: number]: VehicleClientErrorCode } = {
  // Nobody asked whether a kept body still holds.
  304: "invalid_response",
  401: "forbidden",
  403: "forbidden",
  404: "not_found",
  410: "not_found",
  429: "rate_limited",
};

/** Also for 0: that is what a browser shows of a redirect. */
function codeOfStatus(status: number): VehicleClientErrorCode {
  const code = status < 400 ? "redirected" : status < 500 ? "bad_request" : "server_error";
  return codesOfStatus[status] ?? code;
}
