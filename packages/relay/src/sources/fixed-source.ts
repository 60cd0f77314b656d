import type { Item } from "@wye/flag-evaluator";
import { itemsFromJson } from "./change-from-event.js";
import type { SourceFactory } from "./source.js";

/** Flags that the host has at hand and may replace, for demonstrations, tests and offline use. */
export interface FixedSource {
  /** What goes into `EnvironmentOptions.source`. */
  readonly source: SourceFactory;
  /** Replaces all flags in every environment that uses this source. Throws when the text has the wrong shape. */
  replace(json: string): Promise<void>;
}

/** Creates a source from `{"flags":{…},"segments":{…}}`. */
export function createFixedSource(json: string): FixedSource {
  let items: readonly Item[] = itemsFromJson(json);
  const sinks = new Set<Parameters<SourceFactory>[0]["sink"]>();
  return {
    source({ sink, logger }) {
      sinks.add(sink);
      sink.apply({ extent: "full", items }).catch((error: unknown) => {
        logger.error(`the flags cannot be used: ${String(error)}`);
        sink.interrupted("INVALID_DATA", String(error));
      });
      return { close: () => void sinks.delete(sink) };
    },
    async replace(text) {
      items = itemsFromJson(text);
      await Promise.all([...sinks].map((sink) => sink.apply({ extent: "full", items })));
    },
  };
}
