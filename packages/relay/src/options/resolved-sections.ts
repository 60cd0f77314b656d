import type { Dispatcher } from "undici";

// Sections of the options, checked, with defaults filled in. What needs no more than these knows nothing of the others.

/** Addresses of upstream, and how it is asked. */
export interface ResolvedUpstream {
  readonly stream: string;
  readonly app: string;
  readonly polling: string;
  readonly events: string;
  readonly dispatcher: Dispatcher | undefined;
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
