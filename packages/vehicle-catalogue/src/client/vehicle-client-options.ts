import type { VehicleClientClock } from "./clock.js";
import type { VehicleClientError } from "./vehicle-client-error.js";

/** How to make a client. Only the first two are needed. */
export interface VehicleClientOptions {
  /** Where the API is: what stands before `/v2/vehicles`, as an absolute URL without query. */
  readonly baseUrl: string | URL;
  /** The key, sent as a header and shown nowhere. White space around it is taken off. */
  readonly apiKey: string;
  /** Sends the requests; the platform's own `fetch` if not given. */
  readonly fetch?: VehicleClientFetch | undefined;
  /** When and how often to try again; `false` for never. */
  readonly retry?: VehicleClientRetry | false | undefined;
  /** How long one attempt may take, body included: 10,000 if not given, `Infinity` for no limit. */
  readonly timeoutMs?: number | undefined;
  /** How long a call may take with all its attempts and waits: 60,000 if not given, `Infinity` for no limit. */
  readonly deadlineMs?: number | undefined;
  /** Keeps bodies with their `ETag` and asks whether they still hold. Off if not given. */
  readonly cache?: boolean | VehicleClientCache | undefined;
  /** Called at each step of a call, which waits for a hook that gives a promise. What a hook throws, or rejects with, ends the call. */
  readonly hooks?: VehicleClientHooks | undefined;
  /** Bodies above this, decompressed, are refused: 16 MiB if not given. */
  readonly maxBodyBytes?: number | undefined;
  /** Lists of ids are split so that no URL gets longer: 8,000 characters if not given. */
  readonly maxUrlLength?: number | undefined;
  /** An iteration of more pages than this is taken for endless: 10,000 if not given. */
  readonly maxPages?: number | undefined;
  /** Time and chance, for tests. */
  readonly clock?: VehicleClientClock | undefined;
}

/** The part of `fetch` that the client uses. */
export type VehicleClientFetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Network failures, timeouts, 429, 502, 503 and 504 are tried again, after a random wait that grows: up to
 * `baseDelayMs`, then up to twice as long, and so on.
 */
export interface VehicleClientRetry {
  /** How often to try again: 3 if not given. */
  readonly limit?: number | undefined;
  /** The longest first wait: 300 if not given. */
  readonly baseDelayMs?: number | undefined;
  /** The longest wait: 20,000 if not given. When `Retry-After` asks for more, the call fails at once. */
  readonly maxDelayMs?: number | undefined;
}

/** How much to keep. */
export interface VehicleClientCache {
  /** Of all bodies together; what was used least recently goes first. 4 MiB if not given. */
  readonly maxBytes?: number | undefined;
}

/** Watches the calls of a client. No event holds the key. */
export interface VehicleClientHooks {
  /** Before a request is sent. */
  readonly request?: ((event: RequestEvent) => void) | undefined;
  /** After the head of a response came. */
  readonly response?: ((event: ResponseEvent) => void) | undefined;
  /** Before the wait that comes before another attempt. */
  readonly retry?: ((event: RetryEvent) => void) | undefined;
}

/** A request that is about to be sent. */
export interface RequestEvent {
  readonly url: string;
  /** 1 for the first. */
  readonly attempt: number;
}

/** A response whose head has come. */
export interface ResponseEvent extends RequestEvent {
  /** 304 where a kept body still holds. */
  readonly status: number;
  /** Since the request was sent. */
  readonly durationMs: number;
  /** `X-Request-Id`, if the server sent one. */
  readonly requestId: string | undefined;
}

/** An attempt that failed and will be followed by another. */
export interface RetryEvent extends RequestEvent {
  /** How long the wait will be. */
  readonly delayMs: number;
  /** Why the attempt failed. */
  readonly error: VehicleClientError;
}
