import { ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import type { RelayResponse } from "../http/relay-response.js";
import type { Frame } from "./frame.js";

/** The most that is given to a connection at a time: that one part after the other is taken shows a reader who reads. */
const partBytes = 256 * 1024;

/**
 * Writes events to a response, one when the reader has taken the one before.
 *
 * Chunks that all readers share go straight to the socket of a response of `node:http`. When anything has come between
 * (a middleware that compresses, HTTP/2, a test tool), events go through the response as it is, which is always right.
 */
export class StreamOutput {
  /** Is told when the reader has taken a part of what was written, and whether that was the last. */
  onTaken: (all: boolean) => void = () => {};
  readonly #res: RelayResponse;
  #direct: boolean | undefined;
  #listening: Writable | undefined;
  /** What was not given to the connection yet. */
  #rest: Buffer = nothing;
  #waiting = false;
  #ending = false;

  constructor(res: RelayResponse) {
    this.#res = res;
  }

  /** Sends the head and the first event, which leave together. Gives what `write` does. */
  open(headers: Readonly<Record<string, string | number>>, first: Frame): boolean {
    const res = this.#res;
    res.writeHead(200, { ...headers });
    const socket = res instanceof ServerResponse ? res.socket : null;
    socket?.cork();
    if (res instanceof ServerResponse) res.flushHeaders();
    const taken = this.write(first);
    socket?.uncork();
    return taken;
  }

  /** Sends an event. Gives false if it was not taken yet: then none may follow before `onTaken` says so. */
  write(frame: Frame): boolean {
    this.#direct ??= isUnwrapped(this.#res);
    // A pipelined response has no socket yet.
    const socket = this.#direct && this.#res instanceof ServerResponse ? this.#res.socket : null;
    const direct = socket instanceof Socket;
    return direct ? this.#give(socket, frame.chunk) : this.#give(this.#res, frame.event);
  }

  /**
   * Ends the stream in an orderly way, behind what it was sent. Its connection ends too: it would be kept for a next request
   * that does not come, and keep a server that is closing from ending.
   */
  end(): void {
    this.#ending = true;
    if (this.#rest.length > 0) return;
    const socket = this.#res instanceof ServerResponse ? this.#res.socket : null;
    // Not as an argument of `end`, which sessions replace by one that takes none.
    if (socket !== null) this.#res.once("finish", () => socket.end());
    this.#res.end();
  }

  destroy(): void {
    this.#res.destroy();
  }

  /** Gives the connection as much as it takes, and keeps the rest. */
  #give(target: Writable, bytes: Buffer): boolean {
    let rest = bytes;
    do {
      const part = rest.length > partBytes ? rest.subarray(0, partBytes) : rest;
      rest = part === rest ? nothing : rest.subarray(partBytes);
      this.#waiting = !target.write(part);
    } while (rest.length > 0 && !this.#waiting);
    this.#rest = rest;
    if (target === this.#res) flush(this.#res);
    if (this.#waiting) this.#listen(target);
    return !this.#waiting;
  }

  #listen(target: Writable): void {
    if (this.#listening === target) return;
    this.#listening = target;
    // Not `once`: middleware that passes listeners on would not take it away again.
    target.on("drain", () => {
      if (this.#waiting) this.#drained(target);
    });
  }

  #drained(target: Writable): void {
    this.#waiting = false;
    const all = this.#rest.length === 0 || this.#give(target, this.#rest);
    if (this.#ending && this.#rest.length === 0) this.end();
    this.onTaken(all);
  }
}

const nothing = Buffer.alloc(0);

/** Whether what is written to the socket, in the chunks of HTTP, is what the reader of the response gets. */
function isUnwrapped(res: RelayResponse): boolean {
  return res instanceof ServerResponse && res.write === ServerResponse.prototype.write && res.chunkedEncoding;
}

/** Middleware that collects what it compresses has a method that lets it go. */
function flush(res: RelayResponse & { readonly flush?: unknown }): void {
  if (Object.hasOwn(res, "flush") && typeof res.flush === "function") res.flush();
}
