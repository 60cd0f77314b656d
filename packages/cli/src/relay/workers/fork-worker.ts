import cluster from "node:cluster";
import type { Member } from "./crew.js";
import { redistributeConnections } from "./redistribute-connections.js";
import { numberVariable } from "./worker-channel.js";

/** Starts this program once more, with the same arguments, as a worker. */
export function forkWorker(number: number): Member {
  cluster.setupPrimary({ serialization: "advanced" });
  const worker = cluster.fork({ [numberVariable]: String(number) });
  redistributeConnections(worker);
  // Sending to one that has just ended is no fault: what it was to know, it needs no longer.
  worker.on("error", () => {});
  // As many operators may ask at once as want to; each is listened for until it has its answer.
  worker.setMaxListeners(0);
  return {
    send: (message) => void (worker.isConnected() && worker.send(message, () => {})),
    listen(take) {
      worker.on("message", take);
      return () => worker.off("message", take);
    },
    // `once` of `node:events` would give up at an error.
    ended: new Promise((resolve) => {
      worker.process.once("exit", (code, signal) => resolve(code ?? String(signal)));
    }),
    kill: () => void worker.process.kill("SIGKILL"),
  };
}
