import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { ClientView } from "./client-view.js";
import type { Frame } from "./frame.js";

/** What a stream carries: flags for servers in two forms, pings, or the evaluated flags of one context. */
export type Channel = "all" | "flags" | "ping" | "client";

/** Who receives a stream. */
export interface Recipient {
  readonly channel: Channel;
  /** The credential with which it was opened, as its digest; when the credential goes, the stream ends. */
  readonly credential: string;
  /** Whose flags a `client` stream carries. */
  readonly view?: ClientView | undefined;
}

/** An open stream to an SDK. */
export class Subscriber implements Recipient {
  readonly channel: Channel;
  readonly credential: string;
  readonly view: ClientView | undefined;
  /** The broadcasts before this one are part of what it got at the start. */
  joinedAt = 0;
  readonly #res: ServerResponse;
  readonly #http1: boolean;
  readonly #maxBufferedBytes: number;
  /** The largest event that is still on its way: it may wait in full beside the allowed bytes. */
  #largestWaiting = 0;

  constructor(recipient: Recipient, req: IncomingMessage, res: ServerResponse, maxBufferedBytes: number) {
    this.channel = recipient.channel;
    this.credential = recipient.credential;
    this.view = recipient.view;
    this.#res = res;
    this.#http1 = req.httpVersionMajor === 1;
    this.#maxBufferedBytes = maxBufferedBytes;
  }

  /** Sends an event. Gives false when the reader has fallen too far behind and was disconnected. */
  write(frame: Frame): boolean {
    const { socket } = this.#res;
    // A pipelined response has no socket yet; other kinds of sockets are those of HTTP/2 and of test tools.
    if (this.#http1 && socket instanceof Socket && this.#res.chunkedEncoding) {
      if (socket.writableLength === 0) this.#largestWaiting = 0;
      socket.write(frame.chunk);
      return this.#keepUp(socket.writableLength, frame.chunk.length);
    }
    if (this.#res.writableLength === 0) this.#largestWaiting = 0;
    this.#res.write(frame.event);
    return this.#keepUp(this.#res.writableLength, frame.event.length);
  }

  #keepUp(waiting: number, size: number): boolean {
    this.#largestWaiting = Math.max(this.#largestWaiting, size);
    if (waiting <= this.#maxBufferedBytes + this.#largestWaiting) return true;
    this.#res.destroy();
    return false;
  }

  /**
   * Ends the stream in an orderly way; the SDK connects again. Its connection ends too: it would be kept for a next request
   * that does not come, and keep a server that is closing from ending.
   */
  end(): void {
    const { socket } = this.#res;
    this.#res.end(() => {
      if (this.#http1) socket?.end();
    });
  }

  /** Cuts the reader off, whatever it has not read. */
  destroy(): void {
    this.#res.destroy();
  }
}
