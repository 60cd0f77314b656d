import type { ClientView } from "./client-view.js";
import type { Frame } from "./frame.js";
import type { StreamOutput } from "./stream-output.js";

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
  readonly #output: StreamOutput;

  constructor(recipient: Recipient, output: StreamOutput) {
    this.channel = recipient.channel;
    this.credential = recipient.credential;
    this.view = recipient.view;
    this.#output = output;
  }

  /** Sends an event. Gives false when the reader has fallen too far behind and was disconnected. */
  write(frame: Frame): boolean {
    return this.#output.write(frame);
  }

  /**
   * Ends the stream in an orderly way; the SDK connects again. Its connection ends too: it would be kept for a next request
   * that does not come, and keep a server that is closing from ending.
   */
  end(): void {
    this.#output.end();
  }

  /** Cuts the reader off, whatever it has not read. */
  destroy(): void {
    this.#output.destroy();
  }
}
