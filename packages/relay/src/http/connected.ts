import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { RelayRequest, RelayResponse } from "./relay-response.js";

/**
 * Resolves when a response gets its connection; undefined if it need not wait. Of several requests that a client sends on one
 * connection without waiting for answers only the first has it, and a connection that goes tells nobody but that one: the promises
 * of the others are forgotten with it.
 */
export function untilConnected(req: RelayRequest, res: RelayResponse): Promise<void> | undefined {
  const isQueued =
    res instanceof ServerResponse &&
    res.socket === null &&
    req instanceof IncomingMessage &&
    req.socket instanceof Socket;
  if (!isQueued) return undefined;
  return new Promise((resolve) => {
    res.once("socket", () => resolve());
  });
}
