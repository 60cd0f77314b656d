import cluster from "node:cluster";
import type { ExitCode } from "../../exit-code.js";
import type { Channel, FromWorker, ToWorker } from "./messages.js";

/** How the number of a worker is told to it. */
export const numberVariable = "RELAY_WORKER_NUMBER";

/** A worker that this process is. */
export interface ThisWorker extends Channel<FromWorker, ToWorker> {
  readonly number: number;
  /** Aborted when it is asked to end, or the process that has started it is gone. */
  readonly ended: AbortSignal;
}

/** What this process is, if it was started as a worker by a relay: others may have a cluster of their own. */
export function thisWorker(): ThisWorker | undefined {
  const number = process.env[numberVariable];
  if (!cluster.isWorker || process.send === undefined || number === undefined) return undefined;
  const ending = new AbortController();
  const channel: Channel<FromWorker, ToWorker> = {
    // One that is alone takes no part any more.
    send: (message) => void (process.connected && process.send?.(message, () => {})),
    listen(take) {
      process.on("message", take);
      return () => process.off("message", take);
    },
  };
  channel.listen(({ type }) => {
    if (type === "end") ending.abort();
  });
  process.once("disconnect", () => ending.abort());
  return {
    ...channel,
    number: Number(number),
    ended: ending.signal,
  };
}

/** Lets a process that was started as a worker end with this code: nothing is sent or received any more. */
export function leaveCrew(code: ExitCode): void {
  if (!cluster.isWorker || !process.connected) return;
  // Node ends a worker without a channel at once, and with 0.
  process.once("exit", () => {
    process.exitCode = code;
  });
  process.disconnect();
}
