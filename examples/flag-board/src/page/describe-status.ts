import type { ConnectionStateName, EnvironmentStatus, RelayStatus } from "@wye/relay";
import type { Board } from "../board-api.js";
import type { Sign } from "./elements.js";

/** A state in a sign and in words. */
export interface Verdict {
  readonly sign: Sign;
  readonly title: string;
  readonly words: string;
}

/** A name and what there is to say about it. */
export type Fact = readonly [name: string, value: string];

/** The connection of each state, for people. */
const connections: Readonly<Record<ConnectionStateName, Verdict>> = {
  VALID: { sign: "fine", title: "Connected", words: "Flags arrive from their source." },
  INITIALIZING: { sign: "waiting", title: "Starting", words: "No flags have arrived yet." },
  INTERRUPTED: {
    sign: "trouble",
    title: "Interrupted",
    words: "The source does not answer; the flags at hand are served.",
  },
  OFF: { sign: "failed", title: "Off", words: "The source refuses the key, or was closed." },
};

/** The relay as a whole; `undefined` when it does not answer. */
export function overallVerdict(status: RelayStatus | undefined): Verdict {
  if (status === undefined) {
    return { sign: "failed", title: "No answer", words: "The relay cannot be reached from this page." };
  }
  return status.status === "healthy"
    ? { sign: "fine", title: "Healthy", words: "Every environment is connected." }
    : { sign: "trouble", title: "Degraded", words: "Not every environment is connected." };
}

/** The connection of one environment. */
export function connectionVerdict({ connectionStatus }: EnvironmentStatus): Verdict {
  return connections[connectionStatus.state];
}

/** What else is known of an environment. */
export function environmentFacts(environment: EnvironmentStatus, now: number): readonly Fact[] {
  const { connectionStatus, dataStoreStatus, sdkKey, mobileKey, envId, expiringSdkKey } = environment;
  const { lastError } = connectionStatus;
  const optional = (name: string, value: string | undefined): readonly Fact[] =>
    value === undefined ? [] : [[name, value]];
  return [
    ["Since", sinceText(connectionStatus.stateSince, now)],
    ...(lastError === undefined
      ? []
      : [["Last error", `${lastError.kind}, ${sinceText(lastError.time, now)}`] as const]),
    ["Data store", `${dataStoreStatus.state.toLowerCase()}, ${dataStoreStatus.database ?? "in memory"}`],
    ["SDK key", sdkKey],
    ...optional("Expiring SDK key", expiringSdkKey),
    ...optional("Mobile key", mobileKey),
    ...optional("Environment ID", envId),
  ];
}

/** What goes through the relay, as far as the board knows. */
export function boardFacts(board: Board, { version }: RelayStatus): readonly Fact[] {
  return [
    ["Data version", `${board.revision + 1} (${count(board.revision, "edit")} since the start)`],
    ["Open streams", String(board.traffic.streams)],
    ["Events taken", String(board.traffic.events)],
    ["Version of the relay", version],
  ];
}

/** A moment and how long ago it was. */
export function sinceText(time: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - time) / 1000));
  const clock = new Date(time).toLocaleTimeString("en-GB");
  if (seconds < 60) return `${clock}, ${seconds} s ago`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${clock}, ${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return `${clock}, ${hours} h ago`;
  return `${new Date(time).toLocaleDateString("en-GB")} ${clock}, ${Math.round(hours / 24)} days ago`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
