import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { RelayRequest, RelayResponse } from "./relay-response.js";

/** How many requests may wait on one connection. Nobody but a browser's proxy sends two, and each costs what its head and first bytes do. */
const maxWaiting = 16;
const waiting = new WeakMap<Socket, number>();

/**
 * Resolves when a response gets its connection; undefined if it need not wait. Of several requests that a client sends on one
 * connection without waiting for answers only the first has it, and a connection that goes tells nobody but that one: the promises
 * of the others are forgotten with it. A connection on which many wait is ended.
 */
export function untilConnected(req: RelayRequest, res: RelayResponse): Promise<void> | undefined {
  const isQueued =
    res instanceof ServerResponse &&
    res.socket === null &&
    req instanceof IncomingMessage &&
    req.socket instanceof Socket;
  if (!isQueued) return undefined;
  const { socket } = req;
  const count = (waiting.get(socket) ?? 0) + 1;
  waiting.set(socket, count);
  if (count > maxWaiting) socket.destroy();
  return new Promise((resolve) => {
    res.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      resolve();
    });
  });
}
