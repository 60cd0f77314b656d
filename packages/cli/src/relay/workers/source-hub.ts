import type { Clock, Logger, ResolvedUpstream, SourceFactory } from "@wye/relay";
import { Feed } from "./feed.js";
import type { Channel, FeedRequest, FromWorker, ToWorker } from "./messages.js";
import { Subscription } from "./subscription.js";

/** What feeds are made with. */
export interface SourceHubOptions {
  readonly start: SourceFactory;
  readonly dispatcher: ResolvedUpstream["dispatcher"];
  readonly logger: Logger;
  readonly clock: Clock;
}

/** The upstream connections of all workers: one for each environment, however many of them ask. */
export class SourceHub {
  readonly #options: SourceHubOptions;
  readonly #feeds = new Map<string, Feed>();

  constructor(options: SourceHubOptions) {
    this.#options = options;
  }

  /** Serves a worker until the returned function is called, when it is gone. */
  attach(channel: Channel<ToWorker, FromWorker>): () => void {
    const opened = new Map<number, { readonly feed: Feed; readonly subscription: Subscription }>();
    const close = (source: number) => {
      const { feed, subscription } = opened.get(source) ?? {};
      opened.delete(source);
      if (subscription !== undefined) feed?.remove(subscription);
    };
    const stop = channel.listen((message) => {
      if (message.type === "close") close(message.source);
      else if (message.type === "taken") opened.get(message.source)?.subscription.taken(message.problem);
      else if (message.type === "open") {
        const { source, request } = message;
        const subscription = new Subscription({
          change: (change) => channel.send({ type: "change", source, change }),
          trouble: (type, trouble) => channel.send({ type, source, trouble }),
        });
        const feed = this.#feedOf(request);
        feed.label = request.label;
        opened.set(source, { feed, subscription });
        feed.add(subscription);
      }
    });
    return () => {
      stop();
      for (const source of [...opened.keys()]) close(source);
    };
  }

  #feedOf({ label, sdkKey, filter, upstream }: FeedRequest): Feed {
    const place = JSON.stringify([upstream.stream, sdkKey, filter]);
    const present = this.#feeds.get(place);
    if (present !== undefined) return present;
    const { start, dispatcher, logger, clock } = this.#options;
    const context = { label, sdkKey, filter, upstream: { ...upstream, dispatcher }, logger, clock };
    let feed: Feed | undefined;
    let isOver = false;
    feed = new Feed(start, { ...context, random: Math.random }, () => {
      isOver = true;
      if (this.#feeds.get(place) === feed) this.#feeds.delete(place);
    });
    if (!isOver) this.#feeds.set(place, feed);
    return feed;
  }
}
