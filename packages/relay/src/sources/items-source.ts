import type { Change } from "../change.js";
import { messageOf } from "../message-of.js";
import { withOwnFlags } from "./own-flags.js";
import type { SourceFactory } from "./source.js";

/** A source of a full set that is replaced as a whole. */
export interface ItemsSource {
  readonly source: SourceFactory;
  /** Replaces all flags in every environment that uses this source, whether or not their versions are greater. */
  replace(change: Change): Promise<void>;
}

/** Creates a source that has a full set at hand; without one it waits for it. */
export function createItemsSource(first?: Change): ItemsSource {
  let present = first;
  const sinks = new Set<Parameters<SourceFactory>[0]["sink"]>();
  return {
    source: withOwnFlags(({ sink, logger }) => {
      sinks.add(sink);
      if (present !== undefined)
        sink.apply(present).catch((error: unknown) => {
          logger.error(`the flags cannot be used: ${messageOf(error)}`);
          sink.interrupted("INVALID_DATA", messageOf(error));
        });
      return { close: () => void sinks.delete(sink) };
    }),
    async replace(change) {
      present = change;
      await Promise.all([...sinks].map((sink) => sink.apply(change)));
    },
  };
}
