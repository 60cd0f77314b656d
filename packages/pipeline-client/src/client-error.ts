import type { Problem } from "@wye/pipeline-spec";

/**
 * What went wrong:
 *
 * | code | when |
 * |---|---|
 * | `network` | no answer came: unknown host, refused or lost connection |
 * | `timeout` | an attempt, a call or a wait took longer than it may |
 * | `invalid_pipeline` | the file has errors, which are in `problems`; nothing was sent |
 * | `invalid_parameters` | the values for a run do not fit the pipeline; they are in `problems`, and nothing was sent |
 * | `ambiguous_name` | several things have this name: use an id |
 * | `bad_request` | the server refuses what was asked (400 and other 4xx that have no code of their own here) |
 * | `unauthenticated` | the server does not know who asks (401) |
 * | `login_required` | a gateway answered with its login page, or a redirect to one |
 * | `forbidden` | who asks may not do this (403) |
 * | `not_found` | there is no such thing (404) |
 * | `conflict` | the name is taken, or the state does not allow it (409) |
 * | `rate_limited` | too many requests (429) |
 * | `unsupported` | the server has no such call; it may be too old (501) |
 * | `server_error` | the server or a gateway before it failed (other 5xx). Kubeflow says so of some wrong requests as well |
 * | `redirected` | the server points elsewhere (3xx); not followed, because credentials would go along |
 * | `invalid_response` | a success that is no usable answer: no JSON, broken off, too large, pages without end |
 * | `credentials` | what should give a token, a cookie or headers has failed |
 *
 * An aborted call throws the reason of its signal instead.
 */
export type PipelineClientErrorCode =
  | "network"
  | "timeout"
  | "invalid_pipeline"
  | "invalid_parameters"
  | "ambiguous_name"
  | "bad_request"
  | "unauthenticated"
  | "login_required"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "rate_limited"
  | "unsupported"
  | "server_error"
  | "redirected"
  | "invalid_response"
  | "credentials";

/** What the error says beside its message and cause. */
export interface PipelineClientErrorDetails {
  readonly code: PipelineClientErrorCode;
  /** What to do about it, where that is known. */
  readonly remedy?: string | undefined;
  /** `GET https://…`, when something was asked. */
  readonly request?: string | undefined;
  /** The status of the last answer, if there was one. */
  readonly status?: number | undefined;
  /** The number of the server's own code, such as 5 for NotFound. */
  readonly serverCode?: number | undefined;
  /** What the server said, with all wrappings, up to the first stack trace. */
  readonly serverMessage?: string | undefined;
  /** How many requests were sent. */
  readonly attempts?: number | undefined;
  /** Whether the same call may well succeed later. */
  readonly retryable?: boolean | undefined;
  /** How long the server asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
  /** What is wrong with the file or the parameters. */
  readonly problems?: readonly Problem[] | undefined;
}

/** The one error that calls of a client reject with, beside `RunError`. No credential is in any of its members. */
export class PipelineClientError extends Error {
  override readonly name = "PipelineClientError";
  readonly code: PipelineClientErrorCode;
  readonly remedy: string | undefined;
  readonly request: string | undefined;
  readonly status: number | undefined;
  readonly serverCode: number | undefined;
  readonly serverMessage: string | undefined;
  readonly attempts: number;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly problems: readonly Problem[];

  constructor(message: string, details: PipelineClientErrorDetails, options?: ErrorOptions) {
    super(details.remedy === undefined ? message : `${message}; ${details.remedy}`, options);
    this.code = details.code;
    this.remedy = details.remedy;
    this.request = details.request;
    this.status = details.status;
    this.serverCode = details.serverCode;
    this.serverMessage = details.serverMessage;
    this.attempts = details.attempts ?? 0;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
    this.problems = details.problems ?? [];
  }
}

/** Like `instanceof`, but also true for an error of another copy of this package. */
export function isPipelineClientError(value: unknown): value is PipelineClientError {
  return value instanceof Error && value.name === "PipelineClientError";
}
