import { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { hasGone, type RelayResponse } from "./relay-response.js";

/** What is larger may wait in a connection until its reader takes it. */
const largeBytes = 64 * 1024;

/**
 * Sends bodies, and lets those that are on their way arrive before the relay has closed. Node takes a response for idle as
 * soon as it is ended, and a server that is closing cuts it off: a large one is ended when its reader has taken it.
 */
export class Downloads {
  readonly #onTheirWay = new Set<RelayResponse>();
  #closed = false;
  #arrived: () => void = () => {};

  /** Ends a response with a body. `sent` is called when nobody looks at the body any more; it need not be. */
  end(res: RelayResponse, body: string | Uint8Array, sent: () => void = () => {}): void {
    const waits = body.length >= largeBytes && !this.#closed && willClose(res);
    if (waits) this.#watch(res);
    if (!isPlain(res)) {
      res.end(body);
    } else if (!waits) {
      endWhole(res, body, sent);
    } else {
      res.write(body, (error) => {
        if (!error) sent();
        res.end();
      });
    }
  }

  #watch(res: RelayResponse): void {
    this.#onTheirWay.add(res);
    res.once("close", () => {
      this.#onTheirWay.delete(res);
      if (this.#onTheirWay.size === 0) this.#arrived();
    });
  }

  /** Waits for what is on its way, and cuts off what is left of it when `deadline` resolves. */
  async close(deadline: Promise<void>): Promise<void> {
    const arrived = new Promise<void>((resolve) => {
      this.#arrived = resolve;
    });
    if (this.#onTheirWay.size > 0) await Promise.race([deadline, arrived]);
    this.#closed = true;
    for (const res of this.#onTheirWay) res.destroy();
  }
}

/** Ends a response. Most bodies are with the system by then: their memory is free at once, and nobody has to listen for the end. */
function endWhole(res: RelayResponse, body: string | Uint8Array, sent: () => void): void {
  res.end(body);
  if (res.writableLength === 0) sent();
  else res.once("finish", sent);
}

/** Whether nothing has come between that would have to see the body at once with the end. */
export function isPlain(res: RelayResponse): boolean {
  return (
    res instanceof ServerResponse &&
    res.write === ServerResponse.prototype.write &&
    res.end === ServerResponse.prototype.end &&
    res.socket instanceof Socket
  );
}

/** Whether a response will say that it is over, however it ends: one of `node:http` that has its connection, and those of HTTP/2. */
export function willClose(res: RelayResponse): boolean {
  if (hasGone(res)) return false;
  return res instanceof ServerResponse ? res.socket instanceof Socket : res.stream !== undefined;
}
