import { PipelineClientError, type PipelineClientErrorCode } from "../client-error.js";
import type { ApiRequest } from "./api-request.js";
import type { Redactor } from "./redactor.js";
import { remedyOf } from "./remedy.js";
import { parseRetryAfter } from "./retry-after.js";
import { serverMessageOf } from "./server-message.js";

/** Why an attempt brings nothing, in the words of whoever said so: not for the eyes of the caller yet. */
export interface Failure {
  readonly code: PipelineClientErrorCode;
  /** In words for people. */
  readonly reason: string;
  readonly status?: number | undefined;
  readonly serverCode?: number | undefined;
  readonly serverMessage?: string | undefined;
  readonly cause?: unknown;
  /** Whether the same request may well succeed later. */
  readonly isRetryable?: boolean;
  /** True when the server has certainly not carried out what was asked. */
  readonly isUndone?: boolean;
  /** True when nobody knows whether the server has carried out what must not be done twice. */
  readonly isInDoubt?: boolean;
  readonly retryAfterMs?: number | undefined;
}

const codesOfStatus: Readonly<Record<number, PipelineClientErrorCode>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  410: "not_found",
  429: "rate_limited",
  501: "unsupported",
};

/** Failures of the moment, beside those of gateways, which have many numbers above 501. */
const passing = new Set([408, 425, 429]);

/** What an answer with another status than 2xx says. Secrets are taken out before anything is cut short: a part of one is one too. */
export function failureOfResponse(
  { status, headers }: Response,
  text: string,
  now: number,
  redactor: Redactor,
): Failure {
  if (status < 400) {
    const location = headers.get("location");
    return redirection(status, location === null ? null : redactor.text(location));
  }
  const { code: serverCode, message: serverMessage, reason } = serverMessageOf(redactor.text(text));
  const code = codesOfStatus[status] ?? (status < 500 ? "bad_request" : "server_error");
  return {
    code,
    status,
    serverCode,
    serverMessage,
    reason: reason || `the server answered ${status}`,
    isRetryable: passing.has(status) || status > 501,
    isUndone: status === 429 || status === 401,
    retryAfterMs: parseRetryAfter(headers, now),
  };
}

/** Gateways send who is not logged in to a page, often of another host. Browsers do not even show where to: their status is 0. */
function redirection(status: number, location: string | null): Failure {
  const isLogin = location === null || /log-?in|sign-?in|oauth|auth|dex|sso/i.test(location);
  const where = location === null ? "" : ` to ${location.split("?", 1)[0]?.slice(0, 200)}`;
  const reason = `the host redirects${where}, which is not followed`;
  return { code: isLogin ? "login_required" : "redirected", status, reason };
}

/** Whatever keeps `fetch` from answering. */
export function failureOfFetch(cause: unknown): Failure {
  const codes = [...causes(cause)];
  const lasting = lastingReason(cause, codes);
  if (lasting !== undefined) return { code: "network", reason: lasting, cause, isUndone: true };
  const isUndone = codes.some((code) => undone.has(code));
  const reason = `no answer: ${messageOf(cause)}`;
  return { code: "network", reason, cause, isRetryable: true, isUndone };
}

/** What is the same with every attempt: no request was sent, and none will be. */
function lastingReason(cause: unknown, codes: readonly string[]): string | undefined {
  if (codes.some((code) => /^(EPROTO$|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$)/.test(code)))
    return "no answer: the server does not speak https";
  if (codes.some((code) => certificate.test(code)))
    return `no answer: the certificate of the server is not trusted: ${messageOf(cause)}`;
  const isPort = cause instanceof Error && cause.cause instanceof Error && cause.cause.message === "bad port";
  return isPort ? "no answer: no `fetch` asks at this port" : undefined;
}

const certificate =
  /^(CERT_\w+|\w*SELF_SIGNED_CERT\w*|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)_\w+|ERR_TLS_CERT_\w+)$/;

/** Nothing has left this machine, or nobody was there to take it. */
const undone = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function* causes(error: unknown): Generator<string> {
  let one = error;
  for (let depth = 0; depth < 5 && one instanceof Error; depth++) {
    if ("code" in one && typeof one.code === "string") yield one.code;
    one = one.cause;
  }
}

function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "fetch has thrown something that is no error";
  // What `fetch` says itself is `fetch failed`.
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  const code = "code" in inner && typeof inner.code === "string" ? inner.code : "";
  return `${inner.message}` || code || `${cause.message}` || cause.name;
}

const doubt = "it may have been done all the same: look before you do it again";

/** Whether a server may have done what was asked although this is what became of the answer. */
export function mayBeDone({ code, status = 0, isUndone }: Failure): boolean {
  if (isUndone) return false;
  return code === "network" || code === "timeout" || code === "invalid_response" || status > 501;
}

/** The error for a failure, without the secrets. */
export function failureToError(
  failure: Failure,
  request: Pick<ApiRequest, "method"> & { readonly url: string },
  attempts: number,
  redactor: Redactor,
): PipelineClientError {
  const { code, status, serverCode, isRetryable, retryAfterMs } = failure;
  const asked = redactor.text(`${request.method} ${request.url.split("?", 1)[0]}`);
  const reason = redactor.text(failure.reason);
  const serverMessage = failure.serverMessage && redactor.text(failure.serverMessage);
  const tries = attempts > 1 ? `, ${attempts} attempts` : "";
  return new PipelineClientError(
    `${reason} (${status === undefined ? "" : `${status}, `}${asked}${tries})`,
    {
      code,
      status,
      serverCode,
      serverMessage,
      attempts,
      request: asked,
      retryable: isRetryable,
      retryAfterMs,
      remedy: failure.isInDoubt ? doubt : remedyOf(code, reason, request.url),
    },
    failure.cause === undefined ? undefined : { cause: redactor.cause(failure.cause) },
  );
}
