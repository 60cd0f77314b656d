import {
  type AnnouncedChange,
  type AnnouncementSourceFactory,
  messageOf,
  type OfflineSourceFactory,
  RelayError,
  type Shortfall,
} from "@wye/relay";
import type {
  AnnouncementRequest,
  Channel,
  ContentsRequest,
  FromWorker,
  SentAnnouncement,
  SentTrouble,
  ToWorker,
} from "./messages.js";
import { receivedChange, type SentChange } from "./sent-change.js";

/** Takes what was announced, and what has happened since. */
interface Hearer {
  apply(change: AnnouncedChange, flags: ReadonlyMap<string, SentChange>): void | Promise<void>;
  troubled(trouble: SentTrouble): void;
}

/** In a worker: which environments there are comes from the process that has started it. */
export function createSharedAnnouncements(channel: Channel<FromWorker, ToWorker>): AnnouncementSourceFactory {
  return ({ key, sink, upstream }) => {
    const { dispatcher: _, ...sent } = upstream;
    const request = { key, upstream: sent };
    return hear(channel, request, {
      apply: (change) => sink.apply(change),
      troubled({ kind, message }) {
        if (kind === undefined) sink.refused(message);
        else sink.interrupted(kind, message);
      },
    });
  };
}

/** In a worker: what a file has comes from the process that has started it. */
export function createSharedContents(channel: Channel<FromWorker, ToWorker>): OfflineSourceFactory {
  return ({ sink, file, checkMs, maxBytes, keys }) => {
    const request = { file, checkMs, maxBytes, keys };
    return hear(channel, request, {
      async apply(change, sent) {
        const flags = new Map(Array.from(sent, ([name, one]) => [name, receivedChange(one)]));
        try {
          await sink.apply({ ...change, flags });
        } catch (error) {
          sink.interrupted("INVALID_DATA", messageOf(error));
        }
      },
      troubled: ({ kind = "UNKNOWN", message }) => sink.interrupted(kind, message),
    });
  };
}

/** Hears announcements until the result is closed. The next one comes when the last was taken. */
function hear(
  channel: Channel<FromWorker, ToWorker>,
  request: AnnouncementRequest | ContentsRequest,
  hearer: Hearer,
): { close(): void } {
  const known = new KnownShortfalls();
  const stop = channel.listen(async (message) => {
    if (message.type !== "announced") return;
    const { change, trouble } = message;
    if (change !== undefined) {
      const { flags, broken, ...others } = change;
      await hearer.apply({ ...others, broken: known.from(broken) }, flags);
    }
    if (trouble !== undefined) hearer.troubled(trouble);
    channel.send({ type: "heard" });
  });
  channel.send({ type: "hear", request });
  return { close: stop };
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
