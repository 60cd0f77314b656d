import { resolve } from "node:path";
import type {
  AnnouncementSourceFactory,
  Logger,
  MetricsSink,
  OfflineOptions,
  OfflineSourceFactory,
  RelayOptions,
  UpstreamDispatcher,
} from "@wye/relay";
import type { Config } from "./config/config.js";
import type { Supplies } from "./databases.js";
import { clientStreamOf, environmentsFrom, textsOf } from "./environment-options.js";

/** What a relay is made of beside its configuration. */
export interface RelayParts {
  readonly stores: Supplies;
  /** Where it is heard which environments there are, if not from upstream. */
  readonly announcements?: AnnouncementSourceFactory;
  /** Where it is heard what a file has, if it is not to be read. */
  readonly contents?: OfflineSourceFactory;
  readonly logger: Logger;
  readonly dispatcher?: UpstreamDispatcher;
  readonly metrics?: MetricsSink;
  /** The keys of a file of flags that has none. */
  readonly keys?: NonNullable<OfflineOptions["keys"]>;
  /** Where archives and files of flags are. */
  readonly cwd: string;
}

const defaultBase = "https://sdk.launchdarkly.com";
/** Old files have it; it is the same service. */
const formerBase = "https://app.launchdarkly.com";
const longestMs = 100 * 365 * 24 * 3_600_000;

/** The options that a configuration means. */
export function relayOptionsFrom(config: Config, parts: RelayParts): RelayOptions {
  const { logger, dispatcher, metrics } = parts;
  const main = config.of("Main");
  return {
    ...originOf(config, parts),
    upstream: { ...upstreamFrom(config), ...(dispatcher === undefined ? {} : { dispatcher }) },
    events: eventsFrom(config),
    streams: {
      heartbeat: spanOf(main.heartbeatInterval),
      maxConnectionTime: spanOf(main.maxClientConnectionTime),
    },
    bigSegments: {
      staleAsDegraded: main.bigSegmentsStaleAsDegraded,
      staleThreshold: spanOf(main.bigSegmentsStaleThreshold),
    },
    initTimeout: spanOf(main.initTimeout),
    disconnectedStatusTime: spanOf(main.disconnectedStatusTime),
    publicStatus: config.of("Wye").statusPort === undefined,
    ...(metrics === undefined ? {} : { metrics }),
    logger,
  };
}

/** Where the environments come from. */
function originOf(
  config: Config,
  { stores, announcements, contents, keys, cwd }: RelayParts,
): Pick<RelayOptions, "autoConfig" | "environments" | "offline"> {
  const { key, ...automatic } = config.of("AutoConfig");
  if (key !== undefined) {
    const heard = announcements === undefined ? {} : { announcements };
    return { autoConfig: { key, ...heard, ...rulesOf(config, automatic), ...stores } };
  }
  const { fileDataSource, fileDataSourceMonitoringInterval, ...offline } = config.of("OfflineMode");
  if (fileDataSource === undefined) return { environments: environmentsFrom(config, stores) };
  const { store } = stores;
  return {
    offline: {
      file: resolve(cwd, fileDataSource),
      checkInterval: spanOf(fileDataSourceMonitoringInterval),
      ...(contents === undefined ? {} : { contents }),
      ...(keys === undefined ? {} : { keys }),
      ...rulesOf(config, offline),
      ...(store === undefined ? {} : { store }),
    },
  };
}

/** What holds for all environments that come from elsewhere. */
function rulesOf(
  config: Config,
  lists: {
    readonly envAllowedOrigin?: readonly string[] | undefined;
    readonly envAllowedHeader?: readonly string[] | undefined;
  },
) {
  return {
    allowedOrigins: textsOf(lists.envAllowedOrigin),
    allowedHeaders: textsOf(lists.envAllowedHeader),
    clientStream: clientStreamOf(config),
  };
}

/** A span that may be negative, absent or below a millisecond as one that the relay takes. */
function spanOf(ms = 0): number {
  return Math.min(Math.max(Math.ceil(ms), 0), longestMs);
}

function upstreamFrom(config: Config) {
  const { streamUri, baseUri, clientSideBaseUri } = config.of("Main");
  const isOwn = withoutSlash(baseUri) !== formerBase && withoutSlash(baseUri) !== defaultBase;
  const polling = isOwn ? baseUri : defaultBase;
  const app = clientSideBaseUri ?? (isOwn ? baseUri : undefined);
  return {
    stream: streamUri,
    polling,
    ...(app === undefined ? {} : { app }),
    events: config.of("Events").eventsUri,
  };
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

function eventsFrom(config: Config): NonNullable<RelayOptions["events"]> {
  const { sendEvents, flushInterval, capacity, maxInboundPayloadSize } = config.of("Events");
  if (config.of("OfflineMode").fileDataSource !== undefined) return "discard";
  if (!sendEvents) return false;
  return {
    flushInterval: spanOf(flushInterval),
    capacity,
    maxBodyBytes: Math.min(maxInboundPayloadSize, Math.floor(Number.MAX_SAFE_INTEGER / 8)),
  };
}
