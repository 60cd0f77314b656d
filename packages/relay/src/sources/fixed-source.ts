import type { Change } from "../change.js";
import { malformedData } from "../error.js";
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
  const { source, replace } = createItemsSource(changeFrom(json));
  return {
    source,
    async replace(text) {
      demandText("replace", text, example);
      await replace(changeFrom(text));
    },
  };
}

function changeFrom(json: string): Change {
  const change = changeFromJson(json);
  const names = change.items.length > 0 ? [] : Object.keys(JSON.parse(json));
  if (names.length === 0 || names.includes("flags") || names.includes("segments")) return change;
  const first = names.slice(0, 3).map((name) => JSON.stringify(name));
  throw malformedData(
    `there is neither "flags" nor "segments", as in ${example}, but ${first.join(", ")}; a file of simple values is read by flagFile`,
  );
}
