import type { PipelineGraph } from "@wye/pipeline-spec";
import { quote } from "./quote.js";
import type { Finding } from "./rule.js";

/** The settings of executors that are not looked at for each task, because there are too many tasks and settings. */
export function unseenSettings({ executors }: PipelineGraph): readonly Finding[] {
  return executors.flatMap(({ label, settings, unseenSettings: unseen }) => {
    if (settings === undefined || unseen === 0) return [];
    const message = `${unseen} of the values that the settings of ${quote(label)} take from the pipeline were not checked: there are too many for so many tasks`;
    return [{ at: settings.path, part: "key", message }];
  });
}
