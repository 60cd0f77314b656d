import { type Change, RelayError } from "@wye/relay";
import { ItemSet } from "./item-set.js";
import type { Trouble } from "./messages.js";
import { type SentChange, sentChange } from "./sent-change.js";

/** How a subscription reaches its worker. */
export interface SubscriptionSink {
  change(change: SentChange): void;
  trouble(type: "interrupted" | "refused", trouble: Trouble): void;
}

/** Changes that wait together, and whoever waits for them. */
interface Waiting {
  readonly items: ItemSet;
  readonly verdict: PromiseWithResolvers;
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * A worker that wants the flags of a feed. It is sent one change at a time; what comes while it is busy becomes one change, so
 * that what waits for a slow worker never grows beyond the flags themselves.
 */
export class Subscription {
  readonly #sink: SubscriptionSink;
  #sent: PromiseWithResolvers | undefined;
  #waiting: Waiting | undefined;

  constructor(sink: SubscriptionSink) {
    this.#sink = sink;
  }

  /** Resolves when the worker serves the change, or is gone; rejects when it says that it cannot. */
  offer(change: Change): Promise<void> {
    if (this.#sent === undefined) return this.#send(change, resolvers());
    this.#waiting ??= { items: new ItemSet(), verdict: resolvers() };
    this.#waiting.items.take(change);
    return this.#waiting.verdict.promise;
  }

  interrupted(trouble: Trouble): void {
    this.#sink.trouble("interrupted", trouble);
  }

  refused(trouble: Trouble): void {
    this.#sink.trouble("refused", trouble);
  }

  /** The worker has answered to what it was sent. */
  taken(problem: string | undefined): void {
    const [sent, waiting] = [this.#sent, this.#waiting];
    this.#sent = this.#waiting = undefined;
    if (waiting !== undefined) void this.#send(waiting.items.change(), waiting.verdict);
    if (problem === undefined) sent?.resolve();
    else sent?.reject(new RelayError("malformed_data", problem));
  }

  /** The worker is gone: nobody is to wait for it. */
  close(): void {
    this.#sent?.resolve();
    this.#waiting?.verdict.resolve();
  }

  #send(change: Change, verdict: PromiseWithResolvers): Promise<void> {
    this.#sent = verdict;
    this.#sink.change(sentChange(change));
    return verdict.promise;
  }
}

function resolvers(): PromiseWithResolvers {
  let [resolve, reject]: [() => void, (error: Error) => void] = [() => {}, () => {}];
  const promise = new Promise<void>((take, refuse) => {
    [resolve, reject] = [take, refuse];
  });
  // Of several workers one is listened to.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
