import type { Channel } from "./channel.js";
import type { ClientView } from "./client-view.js";
import type { StreamOutput } from "./stream-output.js";

/** Who receives a stream. */
export interface Recipient {
  readonly channel: Channel;
  /** Of pings and of evaluated flags: those that this audience sees. */
  readonly audience: ClientView["audience"];
  /** Whose flags a `client` stream carries. */
  readonly view?: ClientView | undefined;
  /** Of the page that reads it, if a page does. */
  readonly origin?: string | undefined;
  /** The SDK key with which the host has signed the context, where that is asked for. */
  readonly voucher?: string | undefined;
}

/** An open stream to an SDK. */
export class Subscriber implements Recipient {
  readonly channel: Channel;
  readonly audience: ClientView["audience"];
  readonly view: ClientView | undefined;
  readonly origin: string | undefined;
  readonly voucher: string | undefined;
  /** The credential with which it was opened, as its digest; when the credential goes, the stream ends. */
  readonly credential: string;
  /** The number of the state of the flags that it was told last; undefined if it is to be told everything. */
  told: number | undefined;
  /** Whether it will be told of changes in a moment. */
  due = false;
  readonly output: StreamOutput;

  constructor(
    { channel, audience, view, origin, voucher }: Recipient,
    credential: string,
    output: StreamOutput,
  ) {
    this.channel = channel;
    this.audience = audience;
    this.view = view;
    this.origin = origin;
    this.voucher = voucher;
    this.credential = credential;
    this.output = output;
  }
}
