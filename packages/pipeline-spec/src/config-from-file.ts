import { checkPipeline } from "./check-arguments.js";
import type { RuntimeConfig } from "./gen/ml_pipelines/pipeline_spec.js";
import type { Pipeline } from "./pipeline.js";
import { plainValue } from "./typed-value.js";

/**
 * What a file says that its run is started with, when it is a run of the KFP API or a job: in plain values, old typed ones too. Empty for
 * all other files.
 */
export function configFromFile(
  pipeline: Pipeline,
): Pick<RuntimeConfig, "parameterValues" | "gcsOutputDirectory"> {
  checkPipeline("configFromFile", pipeline);
  const { run, job } = pipeline;
  const {
    parameters = {},
    parameterValues = {},
    gcsOutputDirectory = "",
  } = run?.runtimeConfig ?? job?.runtimeConfig ?? {};
  const typed = Object.entries(parameters).map(([name, value]) => [name, plainValue(value)]);
  return { parameterValues: { ...Object.fromEntries(typed), ...parameterValues }, gcsOutputDirectory };
}
