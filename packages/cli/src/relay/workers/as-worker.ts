import type { Relay } from "@wye/relay";
import type { Host } from "../../host.js";
import type { FileText } from "../config/load-config.js";
import type { Credentials } from "../credentials.js";
import type { Listeners } from "../listeners.js";
import { StartError } from "../start-error.js";
import { askRelay } from "./ask-relay.js";
import type { FromWorker, ToWorker } from "./messages.js";
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
export async function sharedText(worker: ThisWorker): Promise<FileText> {
  const given = await ask(worker, { type: "configure" }, (message) =>
    message.type === "configuration" ? message : undefined,
  );
  return given === undefined ? { message: "the worker was asked to end" } : given.text;
}

/** What all workers prove with who they are. Throws when the worker is asked to end first: without it nobody is to be served. */
export async function sharedCredentials(worker: ThisWorker): Promise<Credentials> {
  const given = await ask(worker, { type: "identify" }, (message) =>
    message.type === "credentials" ? message : undefined,
  );
  if (given === undefined) throw new StartError("the worker was asked to end");
  return given.credentials;
}

/** What the process that has started the worker answers; nothing when the worker is asked to end first. */
function ask<Given>(
  worker: ThisWorker,
  question: FromWorker,
  answerIn: (message: ToWorker) => Given | undefined,
): Promise<Given | undefined> {
  return new Promise((resolve) => {
    const take = (given: Given | undefined) => {
      stop();
      worker.ended.removeEventListener("abort", giveUp);
      resolve(given);
    };
    // Nobody is there to ask, or to serve for.
    const giveUp = () => take(undefined);
    const stop = worker.listen((message) => {
      const given = answerIn(message);
      if (given !== undefined) take(given);
    });
    worker.ended.addEventListener("abort", giveUp);
    if (worker.ended.aborted) giveUp();
    else worker.send(question);
  });
}

/** Says that it serves, takes other certificates, and answers what operators ask the process that has started it. */
export function serveAsWorker(
  worker: ThisWorker,
  relay: Relay,
  { port, renew }: Pick<Listeners, "port" | "renew">,
): void {
  worker.listen(async (message) => {
    if (message.type === "certificate") renew(message.certificate);
    if (message.type !== "ask") return;
    const { question, request } = message;
    worker.send({ type: "answer", question, answer: await askRelay(relay, request) });
  });
  worker.send({ type: "serving", port });
}
