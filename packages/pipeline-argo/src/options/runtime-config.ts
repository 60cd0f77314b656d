import { type Pipeline, type RuntimeConfig, writeJson } from "@wye/pipeline-spec";
import { messageText } from "../text/json-text.js";
import type { ArgoOptions } from "./argo-options.js";

/** What the run is started with: as the options say, or else the file. */
export function runtimeConfigOf({ run, job }: Pipeline, options: ArgoOptions): Partial<RuntimeConfig> {
  const given: Partial<RuntimeConfig> =
    options.runtimeConfig ?? run?.runtimeConfig ?? job?.runtimeConfig ?? {};
  const { pipelineRoot } = options;
  // For protobuf, null is nothing.
  const said: typeof given = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  return pipelineRoot === undefined ? said : { ...said, gcsOutputDirectory: pipelineRoot };
}

/** The arguments of the run as the root driver gets them, with the default of each input that has none. */
export function runtimeConfigText(pipeline: Pipeline, options: ArgoOptions): string {
  const { spec } = pipeline;
  const {
    parameters = {},
    parameterValues = {},
    gcsOutputDirectory = "",
  } = runtimeConfigOf(pipeline, options);
  const values = new Map(Object.entries(parameterValues));
  for (const [name, input] of Object.entries(spec.root?.inputDefinitions?.parameters ?? {})) {
    if (values.has(name)) continue;
    if (input.defaultValue !== undefined) values.set(name, input.defaultValue);
    else if (input.isOptional) values.set(name, null);
  }
  const config = { parameters, parameterValues: Object.fromEntries(values), gcsOutputDirectory };
  return messageText(writeJson("RuntimeConfig", config));
}
