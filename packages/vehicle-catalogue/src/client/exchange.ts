import { apiKeyHeader, jsonApiMediaType } from "../protocol.js";
import type { ClientSettings } from "./client-settings.js";
import { type Failure, failureToError } from "./failure.js";
import { type Answer, isDocument, parseJson, type RawDocument } from "./json-api-document.js";
import { type ReadBody, readBody } from "./read-body.js";
import { parseRetryAfter } from "./retry-after.js";
import { unlessAborted } from "./unless-aborted.js";
import type { VehicleClientError, VehicleClientErrorCode } from "./vehicle-client-error.js";
import type { RequestEvent } from "./vehicle-client-options.js";

/** Sends one request and reads the answer: a document, or what went wrong. An abort rejects with the signal's reason. */
export async function exchange(
  { url, attempt }: RequestEvent,
  settings: ClientSettings,
  signal: AbortSignal,
): Promise<Answer | VehicleClientError> {
  const { clock, hooks, redactor, cache } = settings;
  const kept = cache?.get(url);
  hooks.request?.({ url, attempt });
  const sentAt = clock.now();
  const response = await send(url, kept?.etag, settings, signal);
  if ("code" in response) return failureToError(response, { url, attempt }, redactor);

  const { status, headers } = response;
  const requestId = redactor.text(headers.get("x-request-id") ?? "") || undefined;
  hooks.response?.({ url, attempt, status, durationMs: clock.now() - sentAt, requestId });

  const stillHolds = status === 304 && kept;
  const body = stillHolds || (await readBody(response, settings.maxBodyBytes, signal));
  const outcome = stillHolds || response.ok ? readSuccess(body) : readFailure(response, clock.now());
  const { text, bytes } = body;
  if ("code" in outcome) return failureToError(outcome, { url, attempt, status, requestId, text }, redactor);
  const etag = headers.get("etag");
  if (etag) cache?.set(url, { etag, text, bytes });
  return { document: outcome.document, lastModified: headers.get("last-modified") ?? undefined };
}

/** Whatever keeps `fetch` from answering is a failure, except an abort. */
async function send(
  url: string,
  etag: string | undefined,
  { fetch, apiKey }: ClientSettings,
  signal: AbortSignal,
): Promise<Response | Failure> {
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
    const answered: unknown = await unlessAborted(signal, response);
    if (answered instanceof Object && "headers" in answered) return await response;
    return { code: "network", problem: "fetch gave no Response" };
  } catch (cause) {
    signal.throwIfAborted();
    return { code: "network", cause, retryable: true };
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

function readFailure({ status, headers }: Response, now: number): Failure {
  const code = codeOfStatus(status);
  return {
    code,
    problem: code === "redirected" ? `redirects are not followed: ${headers.get("location") ?? ""}` : "",
    retryable: status === 429 || (status >= 502 && status <= 504),
    retryAfterMs: parseRetryAfter(headers, now),
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
