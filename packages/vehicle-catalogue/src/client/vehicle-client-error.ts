import type { ErrorObject } from "../error-document.js";

/**
 * What went wrong:
 *
 * | code | when |
 * |---|---|
 * | `network` | no response came: unknown host, refused or lost connection; in a page also one that it may not read |
 * | `timeout` | an attempt took longer than `timeoutMs`, or all of them longer than `deadlineMs` |
 * | `bad_request` | the request is wrong (400 and other 4xx that have no code of their own here) |
 * | `forbidden` | the key is missing, unknown or not authorised (401, 403) |
 * | `not_found` | nothing is at this URL: probably a wrong `baseUrl` (404, 410) |
 * | `rate_limited` | too many requests with this key (429) |
 * | `server_error` | the service or a gateway before it failed (5xx) |
 * | `redirected` | the server points elsewhere (3xx); not followed, because the key would go along |
 * | `invalid_response` | a success that is no usable document: HTML, empty, truncated, too large, without end |
 *
 * An aborted call throws the reason of its signal instead.
 */
export type VehicleClientErrorCode =
  | "network"
  | "timeout"
  | "bad_request"
  | "forbidden"
  | "not_found"
  | "rate_limited"
  | "server_error"
  | "redirected"
  | "invalid_response";

/** The one error that calls of a client reject with. The key is in none of its members. */
export class VehicleClientError extends Error {
  override readonly name = "VehicleClientError";
  declare readonly code: VehicleClientErrorCode;
  /** What was asked. */
  declare readonly url: string;
  /** How many requests were sent, this last one included. */
  declare readonly attempts: number;
  /** Whether the same call may well succeed later. */
  declare readonly retryable: boolean;
  /** The status of the last response, if there was one. */
  declare readonly status: number | undefined;
  /** The error objects of the response, as far as they could be read. */
  declare readonly errors: readonly Partial<ErrorObject>[];
  /** `X-Request-Id` of the response. */
  declare readonly requestId: string | undefined;
  /** How long the server asked to be left alone. */
  declare readonly retryAfterMs: number | undefined;
  /** The first characters of a body that could not be read as a document. */
  declare readonly excerpt: string | undefined;

  constructor(message: string, details: VehicleClientErrorDetails, options?: ErrorOptions) {
    super(message, options);
    Object.assign(this, details);
  }
}

/** What the error says beside its message and cause. */
export type VehicleClientErrorDetails = Pick<
  VehicleClientError,
  "code" | "url" | "attempts" | "retryable" | "status" | "errors" | "requestId" | "retryAfterMs" | "excerpt"
>;

/** Like `instanceof`, but also true for an error of another copy of this package. */
export function isVehicleClientError(value: unknown): value is VehicleClientError {
  return value instanceof Error && value.name === "VehicleClientError";
}
