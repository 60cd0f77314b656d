import type { Relay } from "@wye/relay";
import type { Host } from "../../host.js";
import type { FileText } from "../config/load-config.js";
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

/** The configuration file that all workers have. */
export function sharedText(worker: ThisWorker): Promise<FileText> {
  return new Promise((resolve) => {
    const take = (text: FileText) => {
      stop();
      worker.ended.removeEventListener("abort", giveUp);
      resolve(text);
    };
    // Nobody is there to ask, or to serve for.
    const giveUp = () => take({ message: "the worker was asked to end" });
    const stop = worker.listen((message) => {
      if (message.type === "configuration") take(message.text);
    });
    worker.ended.addEventListener("abort", giveUp);
    if (worker.ended.aborted) giveUp();
    else worker.send({ type: "configure" });
  });
}

/** Says that it serves, and answers what operators ask the process that has started it. */
export function serveAsWorker(worker: ThisWorker, relay: Relay, port: number): void {
  worker.listen(async (message) => {
    if (message.type !== "ask") return;
    const { question, request } = message;
    worker.send({ type: "answer", question, answer: await askRelay(relay, request) });
  });
  worker.send({ type: "serving", port });
}
