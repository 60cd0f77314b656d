import type { Clock } from "../clock.js";
import type { SourceErrorKind } from "./source-error-kind.js";

/** The states of the connection to upstream. */
export type ConnectionStateName = "INITIALIZING" | "VALID" | "INTERRUPTED" | "OFF";

/** The connection as the status document shows it. */
export interface ConnectionStatus {
  readonly state: ConnectionStateName;
  /** Unix time in milliseconds of the last change of `state`. */
  readonly stateSince: number;
  /** The last failure; recovery does not remove it. */
  readonly lastError?: { readonly kind: SourceErrorKind; readonly time: number };
}

/** Follows the connection of one environment. */
export interface ConnectionState {
  readonly status: ConnectionStatus;
  /**
   * For how long there has been no connection, through whatever states and whatever happened to the wall clock; 0 while there
   * is one.
   */
  readonly lostMs: number;
  /** Whether data was ever received. */
  readonly everValid: boolean;
  /** Data was received. */
  succeeded(): void;
  /** The connection has a problem that may pass. */
  interrupted(kind: SourceErrorKind): void;
  /** Something failed that flags do not depend on now. */
  failedBeside(kind: SourceErrorKind): void;
  /** Upstream does not accept the key. */
  refused(kind: SourceErrorKind): void;
  /** Upstream is asked with another key. */
  asking(): void;
  /** The connection is over for good. */
  close(): void;
}

/** Creates the state of a connection that is starting. */
export function createConnectionState(clock: Clock): ConnectionState {
  let status: ConnectionStatus = { state: "INITIALIZING", stateSince: clock.now() };
  /** When the connection was last there, or was begun. */
  let lostSince = clock.monotonic();
  let everValid = false;
  let closed = false;

  function change(state: ConnectionStateName, kind?: SourceErrorKind): void {
    if (closed) return;
    const now = clock.now();
    const changed = state !== status.state;
    if (changed && status.state === "VALID") lostSince = clock.monotonic();
    status = {
      ...status,
      state,
      stateSince: changed ? now : status.stateSince,
      ...(kind === undefined ? {} : { lastError: { kind, time: now } }),
    };
  }

  /** A connection that never worked is not interrupted: it is still starting. */
  const withoutData = () => (everValid ? "INTERRUPTED" : "INITIALIZING");

  return {
    get status() {
      return status;
    },
    get lostMs() {
      return status.state === "VALID" ? 0 : clock.monotonic() - lostSince;
    },
    get everValid() {
      return everValid;
    },
    succeeded() {
      everValid = true;
      change("VALID");
    },
    interrupted: (kind) => change(withoutData(), kind),
    failedBeside: (kind) => change(status.state, kind),
    refused: (kind) => change("OFF", kind),
    asking() {
      if (status.state === "OFF") change(withoutData());
    },
    close() {
      change("OFF");
      closed = true;
    },
  };
}
