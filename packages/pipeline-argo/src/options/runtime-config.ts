import { type Pipeline, type RuntimeConfig, writeJson } from "@wye/pipeline-spec";
import { messageText } from "../text/json-text.js";
import type { ArgoOptions } from "./argo-options.js";

/** The arguments of the run as the root driver gets them, with the default of each input that has none. */
export function runtimeConfigText({ spec, run, job }: Pipeline, options: ArgoOptions): string {
  const given: Partial<RuntimeConfig> =
    options.runtimeConfig ?? run?.runtimeConfig ?? job?.runtimeConfig ?? {};
  // For protobuf, null is nothing.
  const said: typeof given = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const { parameters = {}, parameterValues = {}, gcsOutputDirectory = "" } = said;
  const values = new Map(Object.entries(parameterValues));
  for (const [name, input] of Object.entries(spec.root?.inputDefinitions?.parameters ?? {})) {
    if (values.has(name)) continue;
    if (input.defaultValue !== undefined) values.set(name, input.defaultValue);
    else if (input.isOptional) values.set(name, null);
  }
  const config = {
    parameters,
    parameterValues: Object.fromEntries(values),
    gcsOutputDirectory: options.pipelineRoot ?? gcsOutputDirectory,
  };
  return messageText(writeJson("RuntimeConfig", config));
}
