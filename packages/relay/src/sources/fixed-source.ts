import { demandText } from "../options/call-arguments.js";
import { changeFromJson } from "./change-from-event.js";
import { createItemsSource } from "./items-source.js";
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

const example = '{"flags":{}}';

/** Creates a source from `{"flags":{…},"segments":{…}}`. */
export function createFixedSource(json: string): FixedSource {
  demandText("createFixedSource", json, example);
  const { source, replace } = createItemsSource(changeFromJson(json));
  return {
    source,
    async replace(text) {
      demandText("replace", text, example);
      await replace(changeFromJson(text));
    },
  };
}
