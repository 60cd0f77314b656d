import cluster from "node:cluster";
import type { Channel, FromWorker, ToWorker } from "./messages.js";

/** How the number of a worker is told to it. */
export const numberVariable = "RELAY_WORKER_NUMBER";

/** A worker that this process is. */
export interface ThisWorker extends Channel<FromWorker, ToWorker> {
  readonly number: number;
  /** Lets the process end: nothing is sent or received any more. */
  leave(): void;
  /** Aborted when it is asked to end, or the process that has started it is gone. */
  readonly ended: AbortSignal;
}

/** What this process is, if it was started as a worker. */
export function thisWorker(): ThisWorker | undefined {
  if (!cluster.isWorker || process.send === undefined) return undefined;
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
    number: Number(process.env[numberVariable]),
    ended: ending.signal,
    leave: () => void (process.connected && process.disconnect()),
  };
}
