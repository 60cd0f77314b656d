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
