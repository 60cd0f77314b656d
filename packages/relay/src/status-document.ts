import type { BigSegmentStatus } from "./big-segments/membership-reader.js";
import type { EnvironmentKeys } from "./credentials.js";
import { maskCredential } from "./credentials.js";
import type { EnvironmentAbout } from "./environment-about.js";
import type { ConnectionStatus } from "./sources/connection-state.js";
import type { StoreDescription } from "./stores/flag-store.js";
import type { StoreStatus } from "./stores/store-writer.js";
import { clientVersion, version } from "./version.js";

/** One environment in the status document. */
export interface EnvironmentStatus {
  /** Masked. */
  readonly sdkKey: string;
  readonly envId?: string;
  readonly envKey?: string;
  readonly envName?: string;
  readonly projKey?: string;
  readonly projName?: string;
  /** Masked. */
  readonly mobileKey?: string;
  /** A replaced SDK key that is still accepted, masked. */
  readonly expiringSdkKey?: string;
  /**
   * The SDK key, masked, with which upstream is still asked. Absent when that is `sdkKey`: after a change of keys it is once
   * upstream has delivered with the new one.
   */
  readonly upstreamSdkKey?: string;
  readonly status: "connected" | "disconnected";
  /**
   * Why it is not served as upstream or the file says: not at all when it is `disconnected`, otherwise as it was before, which is
   * tried again; or which of the keys that are listed for it are refused. Absent when it is as it should be.
   */
  readonly problem?: string;
  readonly connectionStatus: ConnectionStatus;
  readonly dataStoreStatus: StoreStatus & Partial<StoreDescription>;
  /** Where members of big segments are kept, and there is a big segment. */
  readonly bigSegmentStatus?: BigSegmentStatus;
}

/** What `/status` answers. */
export interface RelayStatus {
  readonly environments: Readonly<Record<string, EnvironmentStatus>>;
  /** `healthy` when every environment is connected, without a `problem`, and members of big segments can be read. */
  readonly status: "healthy" | "degraded";
  /** The version of this package. */
  readonly version: string;
  /** The version of the evaluator that the relay uses in place of a server-side SDK. */
  readonly clientVersion: string;
  /**
   * With automatic configuration, whether upstream says which environments there are: `OFF` when it does not accept the
   * key. Offline, whether the file as it is now can be used. Otherwise absent.
   */
  readonly configurationStatus?: ConnectionStatus;
}

/** Where the environments come from, if not from the host. */
export interface StatusOfConfiguration {
  /** Whether it was ever known which environments there are. */
  readonly configured: boolean;
  readonly status: ConnectionStatus;
}

/** What the document says of an environment is read from here. */
export interface StatusOfEnvironment {
  readonly name: string;
  readonly keys: EnvironmentKeys;
  readonly settings: { readonly about: EnvironmentAbout };
  readonly relayOptions: {
    readonly disconnectedStatusMs: number;
    readonly bigSegments: { readonly staleThresholdMs: number; readonly staleAsDegraded: boolean };
  };
  /** The connection to upstream. */
  readonly sources: {
    readonly status: ConnectionStatus;
    /** For how long the state has lasted. */
    readonly lostMs: number;
    /** Whether anything was ever delivered. */
    readonly everDelivered: boolean;
    /** The SDK key with which what is served was asked for. */
    readonly knownSdkKey: string | undefined;
  };
  readonly store: { readonly status: StoreStatus; readonly about: StoreDescription | undefined };
  readonly bigSegments: { status(staleThresholdMs: number): BigSegmentStatus | undefined } | undefined;
  /** Why it is not as a configuration says. */
  readonly problem: string | undefined;
}

/** Describes the environments as they are now. */
export function statusDocument(
  environments: readonly StatusOfEnvironment[],
  configuration?: StatusOfConfiguration,
): RelayStatus {
  const entries = environments
    .map((environment) => [environment.name, { ...environmentStatus(environment) }] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const stale = environments.some(({ relayOptions }) => relayOptions.bigSegments.staleAsDegraded);
  const healthy =
    configuration?.configured !== false &&
    entries.every(
      ([, { status, problem, bigSegmentStatus: members }]) =>
        status === "connected" &&
        problem === undefined &&
        members?.available !== false &&
        !(stale && members?.potentiallyStale),
    );
  return {
    environments: Object.fromEntries(entries),
    status: healthy ? "healthy" : "degraded",
    version,
    clientVersion,
    ...(configuration === undefined ? {} : { configurationStatus: configuration.status }),
  };
}

/** What an environment's part of the document is made of. */
type Parts = readonly unknown[];

/** The document is asked for again and again, and hardly ever says anything new. */
const known = new WeakMap<
  StatusOfEnvironment,
  { readonly parts: Parts; readonly status: EnvironmentStatus }
>();

/** Describes an environment; the same object as long as it would say the same. */
export function environmentStatus(environment: StatusOfEnvironment): EnvironmentStatus {
  const { keys, settings, relayOptions, sources, store, problem } = environment;
  const members = environment.bigSegments?.status(relayOptions.bigSegments.staleThresholdMs);
  const longFailure = sources.status.state !== "VALID" && sources.lostMs >= relayOptions.disconnectedStatusMs;
  const connected = sources.everDelivered && !longFailure;
  const ofMembers = [members?.available, members?.potentiallyStale, members?.lastSynchronizedOn];
  const ofSettings = [keys, settings.about, problem, sources.knownSdkKey];
  const parts = [...ofSettings, sources.status, store.about, store.status, connected, ...ofMembers];
  const last = known.get(environment);
  if (last !== undefined && sameParts(last.parts, parts)) return last.status;
  const expiring = keys.further.find(({ kind, expires }) => kind === "sdkKey" && expires !== undefined);
  const asked = sources.knownSdkKey ?? keys.sdkKey;
  const status: EnvironmentStatus = {
    sdkKey: maskCredential(keys.sdkKey),
    ...(keys.envId === undefined ? {} : { envId: keys.envId }),
    ...settings.about,
    ...(keys.mobileKey === undefined ? {} : { mobileKey: maskCredential(keys.mobileKey) }),
    ...(expiring === undefined ? {} : { expiringSdkKey: maskCredential(expiring.value) }),
    ...(asked === keys.sdkKey ? {} : { upstreamSdkKey: maskCredential(asked) }),
    status: connected ? "connected" : "disconnected",
    ...(problem === undefined ? {} : { problem }),
    connectionStatus: sources.status,
    dataStoreStatus: { ...store.about, ...store.status },
    ...(members === undefined ? {} : { bigSegmentStatus: members }),
  };
  known.set(environment, { parts, status });
  return status;
}

/** Whether things are made of the very same. */
export function sameParts(a: Parts, b: Parts): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}
