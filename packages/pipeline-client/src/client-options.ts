import type { PipelineClientError } from "./client-error.js";
import type { PipelineClientClock } from "./clock.js";
import type { Credentials } from "./http/credentials.js";

/** The part of `fetch` that the client uses. */
export type PipelineFetch = (url: string, init: RequestInit) => Promise<Response>;

/** How requests are sent. Everything has a default. */
export interface RequestSettings {
  /** Who asks; nobody if not given. */
  readonly auth?: Credentials | undefined;
  /** Headers of every request, beside those of `auth`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests; the platform's own `fetch` if not given. */
  readonly fetch?: PipelineFetch | undefined;
  /** In browsers: whether the cookies of the page go along. `same-origin` if not given. */
  readonly cookies?: "omit" | "same-origin" | "include" | undefined;
  /** When and how often to try again what can be tried again; `false` for never. */
  readonly retry?: PipelineClientRetry | false | undefined;
  /** How long one attempt may take, body included: 30,000 if not given, `Infinity` for no limit. */
  readonly timeoutMs?: number | undefined;
  /** How long a call may take with all its attempts and waits: 120,000 if not given, `Infinity` for no limit. */
  readonly deadlineMs?: number | undefined;
  /** Answers above this, decompressed, are refused: 64 MiB if not given. */
  readonly maxBodyBytes?: number | undefined;
  /** A list of more pages than this is taken for endless: 10,000 if not given. */
  readonly maxPages?: number | undefined;
  /** Called before the wait that comes before another attempt. What it throws is ignored. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Time and chance, for tests. */
  readonly clock?: PipelineClientClock | undefined;
}

/** How to make a client. Only `host` is needed. */
export interface PipelineClientOptions extends RequestSettings {
  /**
   * Where the API is: what stands before `/apis/v2beta1`, such as `http://localhost:8888` or `https://kubeflow.example/pipeline`.
   * `https://` is added where there is no scheme.
   */
  readonly host: string | URL;
  /** The namespace of the user, where the server has several users. */
  readonly namespace?: string | undefined;
  /** Where the web page is, for links; `host` if not given. */
  readonly uiHost?: string | URL | undefined;
}

/**
 * Lost connections, timeouts, 429, 502, 503 and 504 are tried again where that can do no harm, after a random wait that grows: up to
 * `baseDelayMs`, then up to twice as long, and so on.
 */
export interface PipelineClientRetry {
  /** How often to try again: 4 if not given. */
  readonly limit?: number | undefined;
  /** The longest first wait: 500 if not given. */
  readonly baseDelayMs?: number | undefined;
  /** The longest wait: 30,000 if not given. When `Retry-After` asks for more, the call fails at once. */
  readonly maxDelayMs?: number | undefined;
}

/** An attempt that failed and will be followed by another. */
export interface RetryEvent {
  /** `GET https://…`. */
  readonly request: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** How long the wait will be. */
  readonly delayMs: number;
  /** Why the attempt failed. */
  readonly error: PipelineClientError;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of that of the client. */
  readonly timeoutMs?: number | undefined;
  /** Instead of that of the client. */
  readonly deadlineMs?: number | undefined;
}
