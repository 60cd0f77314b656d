import { type AnnouncementSourceFactory, RelayError, type Shortfall } from "@wye/relay";
import type { Channel, FromWorker, SentAnnouncement, ToWorker } from "./messages.js";

/** In a worker: which environments there are comes from the process that has started it. */
export function createSharedAnnouncements(channel: Channel<FromWorker, ToWorker>): AnnouncementSourceFactory {
  return ({ key, sink, upstream }) => {
    const broken = new KnownShortfalls();
    const stop = channel.listen((message) => {
      if (message.type !== "announced") return;
      const { change, trouble } = message;
      if (change !== undefined) sink.apply({ ...change, broken: broken.from(change.broken) });
      if (trouble?.kind !== undefined) sink.interrupted(trouble.kind, trouble.message);
      else if (trouble !== undefined) sink.refused(trouble.message);
      channel.send({ type: "heard" });
    });
    const { dispatcher: _, ...sent } = upstream;
    channel.send({ type: "hear", request: { key, upstream: sent } });
    return { close: stop };
  };
}

/** What cannot be used is named in every message: the same is the same object, by which a relay knows that nothing has happened. */
class KnownShortfalls {
  #known = new Map<string, { readonly said: string; readonly shortfall: Shortfall }>();

  from(sent: SentAnnouncement["broken"]): ReadonlyMap<string, Shortfall> {
    const next = sent.map(([name, wanted, problem]) => {
      const said = JSON.stringify([wanted, problem]);
      const known = this.#known.get(name);
      const shortfall =
        known?.said === said ? known.shortfall : { wanted, error: new RelayError("malformed_data", problem) };
      return [name, { said, shortfall }] as const;
    });
    this.#known = new Map(next);
    return new Map(next.map(([name, { shortfall }]) => [name, shortfall]));
  }
}
