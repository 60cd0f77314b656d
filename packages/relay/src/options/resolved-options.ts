import type { BigSegmentStoreFactory } from "../big-segments/big-segment-store.js";
import type { Clock } from "../clock.js";
import type { EnvironmentKeys } from "../credentials.js";
import type { Logger } from "../logger.js";
import type { MetricsSink } from "../metrics.js";
import type { ReadyPolicy } from "../ready-policy.js";
import type { SourceFactory } from "../sources/source.js";
import type { FlagStoreFactory } from "../stores/flag-store.js";
import type {
  ResolvedBigSegments,
  ResolvedEvents,
  ResolvedStreams,
  ResolvedUpstream,
} from "./resolved-sections.js";

/** An environment's options, checked, with defaults filled in. */
export interface ResolvedEnvironment {
  readonly source?: SourceFactory;
  readonly store?: FlagStoreFactory;
  readonly bigSegments?: BigSegmentStoreFactory;
  readonly keys: EnvironmentKeys;
  readonly secureMode: boolean;
  readonly ttlMs: number;
  readonly allowedOrigins: readonly string[];
  readonly allowedHeaders: readonly string[];
  readonly filters: readonly string[];
  readonly clientStream: "evaluated" | "ping";
}

/** A relay's options, checked, with defaults filled in and time spans in milliseconds. */
export interface ResolvedOptions {
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>;
  readonly upstream: ResolvedUpstream;
  readonly events: ResolvedEvents | false;
  readonly streams: ResolvedStreams;
  readonly bigSegments: ResolvedBigSegments;
  readonly prefix: string;
  readonly initTimeoutMs: number;
  readonly ready: ReadyPolicy;
  readonly disconnectedStatusMs: number;
  readonly maxContextBytes: number;
  readonly maxUploadBytes: number;
  readonly probes: boolean;
  readonly prometheus: boolean;
  readonly publicStatus: boolean;
  readonly metrics: MetricsSink | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: () => number;
}
