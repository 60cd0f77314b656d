import type { BigSegmentStatus } from "./big-segments/membership-reader.js";
import type { EnvironmentKeys } from "./credentials.js";
import { maskCredential } from "./credentials.js";
import type { ConnectionStatus } from "./sources/connection-state.js";
import type { StoreDescription } from "./stores/flag-store.js";
import type { StoreStatus } from "./stores/store-writer.js";
import { clientVersion, version } from "./version.js";

/** One environment in the status document. */
export interface EnvironmentStatus {
  /** Masked. */
  readonly sdkKey: string;
  readonly envId?: string;
  /** Masked. */
  readonly mobileKey?: string;
  /** A replaced SDK key that is still accepted, masked. */
  readonly expiringSdkKey?: string;
  readonly status: "connected" | "disconnected";
  readonly connectionStatus: ConnectionStatus;
  readonly dataStoreStatus: StoreStatus & Partial<StoreDescription>;
  /** Where members of big segments are kept, and there is a big segment. */
  readonly bigSegmentStatus?: BigSegmentStatus;
}

/** What `/status` answers. */
export interface RelayStatus {
  readonly environments: Readonly<Record<string, EnvironmentStatus>>;
  /** `healthy` when every environment is connected and members of big segments can be read. */
  readonly status: "healthy" | "degraded";
  /** The version of this package. */
  readonly version: string;
  /** The version of the evaluator that the relay uses in place of a server-side SDK. */
  readonly clientVersion: string;
}

/** What the document says of an environment is read from here. */
export interface StatusOfEnvironment {
  readonly name: string;
  readonly keys: EnvironmentKeys;
  readonly relayOptions: {
    readonly disconnectedStatusMs: number;
    readonly bigSegments: { readonly staleThresholdMs: number; readonly staleAsDegraded: boolean };
  };
  /** The connection to upstream. */
  readonly sources: {
    readonly status: ConnectionStatus;
    /** For how long the state has lasted. */
    readonly lastedMs: number;
    /** Whether anything was ever delivered. */
    readonly everDelivered: boolean;
  };
  readonly store: { readonly status: StoreStatus; readonly about: StoreDescription | undefined };
  readonly bigSegments: { status(staleThresholdMs: number): BigSegmentStatus | undefined } | undefined;
}

/** Describes the environments as they are now. */
export function statusDocument(environments: readonly StatusOfEnvironment[]): RelayStatus {
  const entries = environments
    .map((environment) => [environment.name, environmentStatus(environment)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const stale = environments.some(({ relayOptions }) => relayOptions.bigSegments.staleAsDegraded);
  const healthy = entries.every(
    ([, { status, bigSegmentStatus: members }]) =>
      status === "connected" && members?.available !== false && !(stale && members?.potentiallyStale),
  );
  return {
    environments: Object.fromEntries(entries),
    status: healthy ? "healthy" : "degraded",
    version,
    clientVersion,
  };
}

function environmentStatus(environment: StatusOfEnvironment): EnvironmentStatus {
  const { keys, relayOptions, sources, store } = environment;
  const members = environment.bigSegments?.status(relayOptions.bigSegments.staleThresholdMs);
  const expiring = keys.further.find(({ kind, expires }) => kind === "sdkKey" && expires !== undefined);
  const longFailure =
    sources.status.state !== "VALID" && sources.lastedMs >= relayOptions.disconnectedStatusMs;
  return {
    sdkKey: maskCredential(keys.sdkKey),
    ...(keys.envId === undefined ? {} : { envId: keys.envId }),
    ...(keys.mobileKey === undefined ? {} : { mobileKey: maskCredential(keys.mobileKey) }),
    ...(expiring === undefined ? {} : { expiringSdkKey: maskCredential(expiring.value) }),
    status: sources.everDelivered && !longFailure ? "connected" : "disconnected",
    connectionStatus: sources.status,
    dataStoreStatus: { ...store.about, ...store.status },
    ...(members === undefined ? {} : { bigSegmentStatus: members }),
  };
}
