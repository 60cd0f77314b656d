import type { Serializable } from "node:child_process";
import type { Worker } from "node:cluster";
import { setImmediate as turn } from "node:timers/promises";

/** What Node's `cluster` writes into the messages by which it hands connections to workers and is told that they have them. */
interface ClusterMessage {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: number;
  readonly ack?: number;
}

/** Those that take connections. */
const listening = new Set<Worker>();

/**
 * Gives the connections that a worker was handed and had not taken when it ended to another one. Node's `cluster` goes on waiting for its
 * answer: such a connection would stay open for as long as this process lives, and nobody would read what was asked on it.
 */
export function redistributeConnections(worker: Worker): void {
  const untaken = new Set<number>();
  const { process } = worker;
  const send = process.send.bind(process);
  process.send = (message: Serializable & ClusterMessage, ...rest: unknown[]) => {
    if (message.cmd === "NODE_CLUSTER" && message.act === "newconn" && message.seq !== undefined)
      untaken.add(message.seq);
    return Reflect.apply(send, process, [message, ...rest]);
  };
  process.on("internalMessage", ({ ack }: ClusterMessage) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  worker.on("listening", () => listening.add(worker));
  process.once("exit", () => {
    listening.delete(worker);
    void giveBack(process, untaken);
  });
}

/** Answers what a worker that has ended can answer no more: that another one should have the connection. If there is none it is closed. */
async function giveBack(process: Worker["process"], untaken: ReadonlySet<number>): Promise<void> {
  // What it has said before is read in these turns, if it was not yet.
  await turn();
  await turn();
  const accepted = listening.size === 0;
  for (const ack of untaken)
    process.emit("internalMessage", { cmd: "NODE_CLUSTER", ack, accepted }, undefined);
}
