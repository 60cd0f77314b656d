import { type ExecutorSettings, executorSettings, type Pipeline } from "@wye/pipeline-spec";
import { jsonText } from "../text/json-text.js";
import { type CarriedMetadata, carriedMetadata } from "./pod-metadata.js";

/** The settings of an executor on Kubernetes, and what the workflow takes from them. */
export interface LabelSettings extends ExecutorSettings {
  /** As they stand in the file, as a text of JSON. */
  readonly text: string;
  readonly metadata: CarriedMetadata | undefined;
}

/** The settings of one executor; undefined when there are none. */
export function labelSettings({ platform }: Pipeline, label: string): LabelSettings | undefined {
  const settings = executorSettings(platform, label);
  if (settings === undefined) return undefined;
  return { ...settings, text: jsonText(settings.json), metadata: carriedMetadata(settings.config) };
}
