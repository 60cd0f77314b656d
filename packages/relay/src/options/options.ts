import type { AnnouncementSourceFactory } from "../auto-config/announcement-source.js";
import type { BigSegmentStoreFactory } from "../big-segments/big-segment-store.js";
import type { Clock } from "../clock.js";
import type { EnvironmentAbout } from "../environment-about.js";
import type { RelayError } from "../error.js";
import type { Logger } from "../logger.js";
import type { MetricsSink } from "../metrics.js";
import type { OfflineSourceFactory } from "../offline/offline-source.js";
import type { UpstreamDispatcher } from "../options/resolved-sections.js";
import type { ReadyPolicy } from "../ready-policy.js";
import type { SourceFactory } from "../sources/source.js";
import type { FlagStoreFactory } from "../stores/flag-store.js";
import type { Duration } from "./duration.js";

/** A key that is accepted beside the present one. */
export interface FurtherKey {
  readonly key: string;
  /**
   * The moment from which the key is unknown: Unix milliseconds, a `Date`, or text such as `"2027-01-31T18:00:00Z"`. It
   * stands in the options, so a restart does not forget it. Default: the key is accepted as long as it is listed.
   */
  readonly expires?: number | string | Date;
}

/** One environment of the upstream service. */
export interface EnvironmentOptions {
  /** The key of server-side SDKs, and the one with which the relay asks upstream. */
  readonly sdkKey: string;
  /** The key of mobile SDKs; without it the environment has no mobile endpoints. */
  readonly mobileKey?: string;
  /** Other SDK keys that are accepted, such as one that was replaced and is still in use. */
  readonly furtherSdkKeys?: readonly (string | FurtherKey)[];
  /** Other mobile keys that are accepted. */
  readonly furtherMobileKeys?: readonly (string | FurtherKey)[];
  /** The client-side ID; without it the environment has no endpoints for browsers. */
  readonly envId?: string;
  /** Whether browsers must prove with `h` that the host vouches for their context. Default: false. */
  readonly secureMode?: boolean;
  /** How long PHP SDKs and shared caches may keep polled flags (`Expires`). Default: no such header. */
  readonly ttl?: Duration;
  /** The origins whose pages may call; `https://*.example.org` stands for all below a domain. None of them, as is the default: all. */
  readonly allowedOrigins?: readonly string[];
  /** Request headers that browsers may send beside those of the SDKs. */
  readonly allowedHeaders?: readonly string[];
  /** Payload filters: each is served beside the unfiltered environment to requests with `?filter=KEY`. */
  readonly filters?: readonly string[];
  /** What `/eval` and `/meval` streams carry: evaluated flags, or a `ping` for each change. Default: `"evaluated"`. */
  readonly clientStream?: "evaluated" | "ping";
  /** What people call it: the status shows it beside the name, and log lines begin with it. */
  readonly about?: EnvironmentAbout;
  /** Where flags come from. Default: the stream of the upstream service. */
  readonly source?: SourceFactory;
  /** Where flags are kept. Default: in memory. */
  readonly store?: FlagStoreFactory;
  /** Where the members of big segments are kept. Without it, big segments have none. */
  readonly bigSegments?: BigSegmentStoreFactory;
}

/**
 * What may be changed of an environment while it runs. What is left out stays; `mobileKey: null` takes the key away. For
 * another `envId`, `source`, `store` or `bigSegments` remove the environment and add it again in the same turn.
 */
export interface EnvironmentChanges
  extends Partial<Omit<EnvironmentOptions, "envId" | "mobileKey" | "source" | "store" | "bigSegments">> {
  readonly mobileKey?: string | null;
}

/** The environments come from the automatic configuration of upstream, and come and go with it. */
export interface AutoConfigOptions
  extends Pick<
    EnvironmentOptions,
    "allowedOrigins" | "allowedHeaders" | "clientStream" | "source" | "store" | "bigSegments"
  > {
  /** The key of the automatic configuration: `rel-…`. The other options hold for every environment that it names. */
  readonly key: string;
  /** Where it is heard which environments there are. Default: the stream of the upstream service. */
  readonly announcements?: AnnouncementSourceFactory;
  /**
   * Called when upstream does not accept the key (`refused`), and for an environment that cannot be served as it was
   * announced. All of it is logged as well, and asked for again.
   */
  readonly onError?: (error: RelayError) => void;
}

/** The environments and their flags come from a file, which is read anew when it changes. */
export interface OfflineOptions
  extends Pick<EnvironmentOptions, "allowedOrigins" | "allowedHeaders" | "clientStream" | "store"> {
  /**
   * An archive that upstream has made (tar or tar.gz), or a file of flags in JSON or YAML; which one is seen from its
   * contents. The other options hold for every environment in it.
   */
  readonly file: string;
  /** How often the file is looked at, which costs no reading; at least `"100ms"`. Default: `"1s"`. */
  readonly checkInterval?: Duration;
  /** The keys of a file of flags that names no environments: then there is one, `default`. */
  readonly keys?: Pick<EnvironmentOptions, "sdkKey" | "mobileKey" | "envId">;
  /** What the file may take unpacked, in bytes. Default: 1 GiB. */
  readonly maxBytes?: number;
  /** Where it is heard what the file has. Default: it is read, and looked at as long as the relay runs. */
  readonly contents?: OfflineSourceFactory;
  /** Called when the file, or an environment in it, cannot be used; what was served before still is. It is logged as well. */
  readonly onError?: (error: RelayError) => void;
}

/** Addresses of the upstream service by role, each with an optional path prefix. */
export interface UpstreamOptions {
  readonly stream?: string;
  readonly app?: string;
  /** Where the members of big segments are asked for. Default: that of `app` if it is set, else LaunchDarkly's. */
  readonly polling?: string;
  readonly events?: string;
  /** How connections to upstream are made: a `Dispatcher` of undici, for a proxy, a pool, own certificates. Default: directly. */
  readonly dispatcher?: UpstreamDispatcher;
  /**
   * How long a stream may be without a byte before it counts as dead. Default: `"5m"`. To begin it has half a minute, or this time
   * if it is less.
   */
  readonly readTimeout?: Duration;
  /** How long connecting and the answer to a request may take. What is posted gets a second more for each 64 KB. Default: `"3s"`. */
  readonly requestTimeout?: Duration;
  /** The largest event that is read from a stream, in bytes. Default: 256 MiB. */
  readonly maxEventBytes?: number;
}

/** How analytics events are passed on. */
export interface EventOptions {
  /** How often collected events are sent. Default: `"5s"`. */
  readonly flushInterval?: Duration;
  /** How many events each queue keeps while upstream does not take them. Default: 10,000. */
  readonly capacity?: number;
  /** How many bytes each queue keeps. Default: 16 MiB. */
  readonly capacityBytes?: number;
  /** The largest accepted body, after decompression, in bytes. Default: 10 MiB. */
  readonly maxBodyBytes?: number;
  /** The pause before the one retry of a failed delivery. Default: `"1s"`. */
  readonly retryDelay?: Duration;
}

/** Bounds of the streams to SDKs. */
export interface StreamOptions {
  /** How often a comment keeps idle streams open; 0 for never. Default: `"3m"`. */
  readonly heartbeat?: Duration;
  /** After about this time (up to a tenth less) a stream ends and the SDK connects anew; 0 for never. Default: 0. */
  readonly maxConnectionTime?: Duration;
  /**
   * How long a reader may take nothing of an event before it is disconnected. One that reads slowly is not, as long as it takes about a
   * megabyte in that time, less than which no system tells of: it is sent what has changed when it has taken the event before, and never
   * more than that one waits for it. 0 for never. Default: `"1m"`.
   */
  readonly stallTimeout?: Duration;
  /** How long one turn of sending to many streams may occupy the process, in milliseconds. Default: 2. */
  readonly sliceMs?: number;
}

/** How big segments count in the status. */
export interface BigSegmentOptions {
  /** Members that were last known to be right before this time may be out of date. Default: `"5m"`. */
  readonly staleThreshold?: Duration;
  /** Whether members that may be out of date make the status `degraded`. Default: false. */
  readonly staleAsDegraded?: boolean;
}

/** What a host may set. */
export interface RelayOptions {
  /** The environments by name; more may be added later. */
  readonly environments?: Readonly<Record<string, EnvironmentOptions>>;
  /** Upstream says which environments there are, in place of `environments`. */
  readonly autoConfig?: AutoConfigOptions;
  /** A file says which environments there are and has their flags, in place of `environments`; upstream is never asked. */
  readonly offline?: OfflineOptions;
  readonly upstream?: UpstreamOptions;
  /**
   * Forwarding of events; `false` answers event posts with 503, `"discard"` takes them with 202 and sends them nowhere.
   * Default: forwarded to upstream; with `offline` they are discarded.
   */
  readonly events?: EventOptions | false | "discard";
  readonly streams?: StreamOptions;
  /** A path such as `/flags-relay` under which everything is mounted, for hosts that do not strip it. Default: none. */
  readonly prefix?: string;
  /** How long environments may take to get data before they count as having none. Default: `"10s"`. */
  readonly initTimeout?: Duration;
  /**
   * When `/ready` says so: when `"all"` environments that upstream accepts have data, when `"any"` has, or when these have,
   * each with its payload filters. Never before there is data. Default: `"all"`.
   */
  readonly ready?: ReadyPolicy;
  /** When members of big segments count as out of date in the status, and whether that degrades it. */
  readonly bigSegments?: BigSegmentOptions;
  /** How long a lost connection stays `connected` in the status. Default: `"1m"`. */
  readonly disconnectedStatusTime?: Duration;
  /** The largest context that a REPORT request may carry, in bytes. Default: 1 MiB. */
  readonly maxContextBytes?: number;
  /**
   * What all request bodies that are on their way may take together, in bytes, however many clients send them; beyond it
   * the one that has been on its way longest gets 503. Default: 64 MiB, or four times the largest body if that is more.
   */
  readonly maxUploadBytes?: number;
  /**
   * How much is kept of answers to contexts that are asked about again and again while the flags are the same, as by SDKs that
   * poll, in bytes; 0 keeps none. Default: 32 MiB.
   */
  readonly answerCacheBytes?: number;
  /** Whether `handler` serves `/live` and `/ready`. Default: true. */
  readonly probes?: boolean;
  /** Whether `/metrics` answers in the text format of Prometheus. Default: false. */
  readonly prometheus?: boolean;
  /**
   * Whether `handler` serves `/status`, `/live`, `/ready` and `/metrics`; otherwise only `statusHandler` does, all four of
   * them. Default: true.
   */
  readonly publicStatus?: boolean;
  /** Also receives every measurement, for OpenTelemetry and others. */
  readonly metrics?: MetricsSink;
  /** Default: silent. */
  readonly logger?: Logger;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
  /** Numbers from 0 to below 1, for jitter. Default: `Math.random`. */
  readonly random?: () => number;
}
