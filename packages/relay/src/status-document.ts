import type { BigSegmentStatus } from "./big-segments/membership-reader.js";
import { maskCredential } from "./credentials.js";
import type { Environment } from "./environment.js";
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

/** Describes the environments as they are now. */
export function statusDocument(environments: readonly Environment[]): RelayStatus {
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

function environmentStatus(environment: Environment): EnvironmentStatus {
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
    dataStoreStatus: { ...store.status, ...store.about },
    ...(members === undefined ? {} : { bigSegmentStatus: members }),
  };
}
