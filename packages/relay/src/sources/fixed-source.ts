import { createHash } from "node:crypto";
import type { Change } from "../change.js";
import { messageOf } from "../message-of.js";
import { itemsFromJson } from "./change-from-event.js";
import type { SourceFactory } from "./source.js";

/** Flags that the host has at hand and may replace, for demonstrations, tests and offline use. */
export interface FixedSource {
  /** What goes into `EnvironmentOptions.source`. */
  readonly source: SourceFactory;
  /**
   * Replaces all flags in every environment that uses this source, whether or not their versions are greater. Throws when
   * the text has the wrong shape.
   */
  replace(json: string): Promise<void>;
}

/** Creates a source from `{"flags":{…},"segments":{…}}`. */
export function createFixedSource(json: string): FixedSource {
  let present = changeFrom(json);
  const sinks = new Set<Parameters<SourceFactory>[0]["sink"]>();
  return {
    source({ sink, logger }) {
      sinks.add(sink);
      sink.apply(present).catch((error: unknown) => {
        logger.error(`the flags cannot be used: ${messageOf(error)}`);
        sink.interrupted("INVALID_DATA", messageOf(error));
      });
      return { close: () => void sinks.delete(sink) };
    },
    async replace(text) {
      present = changeFrom(text);
      await Promise.all([...sinks].map((sink) => sink.apply(present)));
    },
  };
}

/** People who edit flags by hand forget versions: the state is named after the text. */
function changeFrom(json: string): Change {
  const state = createHash("sha256").update(json).digest("base64url");
  return { extent: "full", items: itemsFromJson(json), selector: { state, version: 1 } };
}
