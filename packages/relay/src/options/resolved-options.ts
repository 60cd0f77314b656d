import type { AnnouncementSourceFactory } from "../auto-config/announcement-source.js";
import type { BigSegmentStoreFactory } from "../big-segments/big-segment-store.js";
import type { Clock } from "../clock.js";
import type { EnvironmentKeys, OwnKeys } from "../credentials.js";
import type { EnvironmentAbout } from "../environment-about.js";
import type { RelayError } from "../error.js";
import type { Lanes } from "../lanes.js";
import type { Logger } from "../logger.js";
import type { MetricsSink } from "../metrics.js";
import type { OfflineSourceFactory } from "../offline/offline-source.js";
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
  readonly about: EnvironmentAbout;
}

/** What holds for every environment, whichever there are. */
export type EnvironmentDefaults = Partial<
  Pick<
    ResolvedEnvironment,
    "allowedOrigins" | "allowedHeaders" | "clientStream" | "source" | "store" | "bigSegments"
  >
>;

interface Configuration {
  readonly defaults: EnvironmentDefaults;
  /** Tells the host; what it throws harms nobody. */
  readonly onError: (error: RelayError) => void;
}

/** The environments come from the automatic configuration of upstream. */
export interface ResolvedAutoConfig extends Configuration {
  readonly kind: "auto";
  readonly key: string;
  readonly announcements: AnnouncementSourceFactory | undefined;
}

/** The environments and their flags come from a file. */
export interface ResolvedOffline extends Configuration {
  readonly kind: "offline";
  readonly file: string;
  readonly checkMs: number;
  readonly maxBytes: number;
  /** Those of a file that names no environments. */
  readonly keys: OwnKeys | undefined;
  readonly contents: OfflineSourceFactory | undefined;
}

/** What names the environments in place of the host. */
export type ResolvedConfiguration = ResolvedAutoConfig | ResolvedOffline;

/** A relay's options, checked, with defaults filled in and time spans in milliseconds. */
export interface ResolvedOptions {
  readonly environments: ReadonlyMap<string, ResolvedEnvironment>;
  /** What names the environments in place of the host. */
  readonly configuration: ResolvedConfiguration | undefined;
  readonly upstream: ResolvedUpstream;
  /** Cuts off what goes to upstream, unless that is the host's. */
  readonly disconnect: () => void;
  readonly events: ResolvedEvents | false | "discard";
  /** Event posts of all environments go through these: thousands of environments must not mean as many connections. */
  readonly eventLanes: Lanes;
  readonly streams: ResolvedStreams;
  readonly bigSegments: ResolvedBigSegments;
  readonly prefix: string;
  readonly initTimeoutMs: number;
  readonly ready: ReadyPolicy;
  readonly disconnectedStatusMs: number;
  readonly maxContextBytes: number;
  readonly maxUploadBytes: number;
  readonly answerCacheBytes: number;
  readonly probes: boolean;
  readonly prometheus: boolean;
  readonly publicStatus: boolean;
  readonly metrics: MetricsSink | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: () => number;
}
