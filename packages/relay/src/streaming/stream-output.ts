import { ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { RelayResponse } from "../http/relay-response.js";
import type { Frame } from "./frame.js";

/**
 * Writes events to a response, and disconnects a reader who falls too far behind.
 *
 * Chunks that all readers share go straight to the socket of a response of `node:http`. When anything has come between
 * (a middleware that compresses, HTTP/2, a test tool), events go through the response as it is, which is always right.
 */
export class StreamOutput {
  readonly #res: RelayResponse;
  readonly #maxBufferedBytes: number;
  #direct: boolean | undefined;
  /** The largest event that is still on its way: it may wait in full beside the allowed bytes. */
  #largestWaiting = 0;
  /** What was written since the response asked to wait. */
  #sinceFull: number | undefined;

  constructor(res: RelayResponse, maxBufferedBytes: number) {
    this.#res = res;
    this.#maxBufferedBytes = maxBufferedBytes;
  }

  /** Sends the head and the first event, which leave together. */
  open(headers: Readonly<Record<string, string | number>>, first: Frame): boolean {
    const res = this.#res;
    res.writeHead(200, { ...headers });
    const socket = res instanceof ServerResponse ? res.socket : null;
    socket?.cork();
    if (res instanceof ServerResponse) res.flushHeaders();
    const written = this.write(first);
    socket?.uncork();
    return written;
  }

  /** Sends an event. Gives false when the reader has fallen too far behind and was disconnected. */
  write(frame: Frame): boolean {
    this.#direct ??= isUnwrapped(this.#res);
    // A pipelined response has no socket yet.
    const socket = this.#direct && this.#res instanceof ServerResponse ? this.#res.socket : null;
    return socket instanceof Socket ? this.#writeChunk(socket, frame) : this.#writeThrough(frame);
  }

  /**
   * Ends the stream in an orderly way. Its connection ends too: it would be kept for a next request that does not come, and
   * keep a server that is closing from ending.
   */
  end(): void {
    const socket = this.#res instanceof ServerResponse ? this.#res.socket : null;
    // Not as an argument of `end`, which sessions replace by one that takes none.
    if (socket !== null) this.#res.once("finish", () => socket.end());
    this.#res.end();
  }

  destroy(): void {
    this.#res.destroy();
  }

  #writeChunk(socket: Socket, { chunk }: Frame): boolean {
    if (socket.writableLength === 0) this.#largestWaiting = 0;
    socket.write(chunk);
    return this.#keepUp(socket.writableLength, chunk.length);
  }

  #writeThrough({ event }: Frame): boolean {
    const res = this.#res;
    if (this.#sinceFull === undefined) this.#largestWaiting = 0;
    const takesMore = res.write(event);
    if (this.#sinceFull !== undefined) {
      this.#sinceFull += event.length;
    } else if (!takesMore) {
      this.#sinceFull = event.length;
      res.once("drain", () => {
        this.#sinceFull = undefined;
      });
    }
    flush(res);
    return this.#keepUp(this.#sinceFull ?? 0, event.length);
  }

  #keepUp(waiting: number, size: number): boolean {
    this.#largestWaiting = Math.max(this.#largestWaiting, size);
    if (waiting <= this.#maxBufferedBytes + this.#largestWaiting) return true;
    this.#res.destroy();
    return false;
  }
}

/** Whether what is written to the socket, in the chunks of HTTP, is what the reader of the response gets. */
function isUnwrapped(res: RelayResponse): boolean {
  return (
    res instanceof ServerResponse &&
    res.write === ServerResponse.prototype.write &&
    res.chunkedEncoding &&
    !res.hasHeader("content-encoding")
  );
}

/** Middleware that collects what it compresses has a method that lets it go. */
function flush(res: RelayResponse & { readonly flush?: unknown }): void {
  if (Object.hasOwn(res, "flush") && typeof res.flush === "function") res.flush();
}
