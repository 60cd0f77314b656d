import type { Relay } from "@wye/relay";
import type { Host } from "../../host.js";
import { askRelay } from "./ask-relay.js";
import type { ThisWorker } from "./worker-channel.js";

/** A worker is told what to do by the process that has started it. */
export function hostOf(worker: ThisWorker, host: Host): Host {
  return {
    ...host,
    interrupted: AbortSignal.any([host.interrupted, worker.ended]),
    onReload: (reload) =>
      worker.listen(({ type }) => {
        if (type === "reload") reload();
      }),
  };
}

/** Says that it serves, and answers what operators ask the process that has started it. */
export function serveAsWorker(worker: ThisWorker, relay: Relay, port: number): void {
  worker.listen(async (message) => {
    if (message.type !== "ask") return;
    const { question, path } = message;
    worker.send({ type: "answer", question, answer: await askRelay(relay, path) });
  });
  worker.send({ type: "serving", port });
}
