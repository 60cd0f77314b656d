import type { Readable } from "node:stream";

// Sections of the options, checked, with defaults filled in. What needs no more than these knows nothing of the others.

/** One request to upstream. */
export interface UpstreamRequest {
  readonly origin: string;
  /** The path with the query. */
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string | string[]>;
  readonly body?: Buffer;
  /** Ends the request, and the body of its answer. */
  readonly signal: AbortSignal;
  /** How long upstream may take to answer, in milliseconds. */
  readonly headersTimeout: number;
  /** How long the body of the answer may be silent; 0 is for ever. */
  readonly bodyTimeout: number;
}

/** What upstream answers. */
export interface UpstreamAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

/** What makes connections to upstream. Every `Dispatcher` of undici is one: a proxy, a pool, own certificates. */
export interface UpstreamDispatcher {
  request(request: UpstreamRequest): Promise<UpstreamAnswer>;
}

/** Addresses of upstream, and how it is asked. */
export interface ResolvedUpstream {
  readonly stream: string;
  readonly app: string;
  readonly polling: string;
  readonly events: string;
  readonly dispatcher: UpstreamDispatcher;
  readonly readTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxEventBytes: number;
}

/** How events are passed on. */
export interface ResolvedEvents {
  readonly flushIntervalMs: number;
  readonly capacity: number;
  readonly capacityBytes: number;
  readonly maxBodyBytes: number;
  readonly retryDelayMs: number;
}

/** Event posts with more bytes than this are refused unless the host says otherwise. */
export const defaultMaxBodyBytes: number = 10 * 1024 * 1024;

/** Bounds of streams. */
export interface ResolvedStreams {
  readonly heartbeatMs: number;
  readonly maxConnectionMs: number;
  readonly stallMs: number;
  readonly sliceMs: number;
}

/** How big segments count in the status. */
export interface ResolvedBigSegments {
  readonly staleThresholdMs: number;
  readonly staleAsDegraded: boolean;
}
