import type { PipelineClientError } from "../client-error.js";
import type { CallOptions, PipelineFetch, RetryEvent } from "../client-options.js";
import type { PipelineClientClock } from "../clock.js";
import type { ApiRequest } from "./api-request.js";
import type { Credentials } from "./credentials.js";
import type { KnownCall } from "./known-call.js";
import type { Redactor } from "./redactor.js";

/** The options of a client, checked and complete. */
export interface SessionSettings {
  /** Without a slash at the end. */
  readonly host: string;
  readonly auth: Credentials;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: PipelineFetch;
  readonly cookies: "omit" | "same-origin" | "include";
  readonly retry: { readonly limit: number; readonly baseDelayMs: number; readonly maxDelayMs: number };
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly maxBodyBytes: number;
  readonly maxPages: number;
  readonly onRetry: (event: RetryEvent) => void;
  readonly clock: PipelineClientClock;
}

/** One call of a user, which may take several requests. */
export interface Call {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** By the clock of the client. */
  readonly endsAt: number;
}

/** What came back: a status of 2xx. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** Knows what was sent along and must not get into an error. */
  readonly redactor: Redactor;
}

/** Sends requests. */
export interface Session {
  readonly settings: SessionSettings;
  /** Checks the options of a call, and starts its time. */
  start(options: CallOptions | undefined): Call;
  /** The same for a call that takes more. */
  start<T extends CallOptions>(options: T, known: KnownCall<T>): Call;
  /** Sends until there is an answer, the failure is final, or no time is left for another attempt. */
  send(request: ApiRequest, call: Call): Promise<Answer>;
  /** The error for an answer that cannot be used. What the reason or the cause repeats of the answer needs its redactor. */
  unusable(request: ApiRequest, reason: string, redactor?: Redactor, cause?: unknown): PipelineClientError;
}
