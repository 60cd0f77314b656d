import { checkPipeline } from "./check-arguments.js";
import { checkOptions } from "./check-options.js";
import { PipelineSpecError } from "./error.js";
import type { PipelineJob } from "./gen/ml_pipelines/pipeline_spec.js";
import type { Pipeline } from "./pipeline.js";
import { escapeOdd, printYaml } from "./print-yaml.js";
import { type VertexFields, withVertexFields } from "./vertex-job.js";
import { writeJson } from "./write-json.js";

/** How a pipeline is printed. */
export interface PrintOptions {
  /**
   * `yaml`, the default, with the platform specification as a second document; or `json`, indented by two blanks, with both in
   * `{ pipelineSpec, platformSpec }` when there is a platform specification.
   */
  readonly format?: "yaml" | "json";
}

/** The parts of a {@link Pipeline} that are printed; whoever makes one by hand needs no more. */
export type PrintablePipeline = Pick<Pipeline, "spec"> &
  Partial<Pick<Pipeline, "platform" | "job" | "vertex">>;

/**
 * Prints a pipeline in its canonical form: camelCase names in alphabetical order, defaults left out. As YAML the platform
 * specification is a second document; as JSON the two become `{ pipelineSpec, platformSpec }`. `spec` takes the place of
 * what `job.pipelineSpec` holds.
 *
 * @throws PipelineSpecError with code `unwritable` when a message holds something that JSON has no form for, or for a job
 *   with a platform specification as JSON, for which there is no form
 */
export function printPipeline(pipeline: PrintablePipeline, options: PrintOptions = {}): string {
  checkPipeline("printPipeline", pipeline);
  checkOptions("printPipeline", options, { format: ["yaml", "json"] });
  const { format = "yaml" } = options;
  const specification = writeJson("PipelineSpec", pipeline.spec);
  const main =
    pipeline.job === undefined ? specification : jobAround(specification, pipeline.job, pipeline.vertex);
  const platform = pipeline.platform === undefined ? {} : writeJson("PlatformSpec", pipeline.platform);
  const hasPlatform = Object.keys(platform).length > 0;
  if (format === "yaml") return printYaml(main) + (hasPlatform ? `---\n${printYaml(platform)}` : "");
  if (!hasPlatform) return `${escapeOdd(JSON.stringify(main, undefined, 2))}\n`;
  if (pipeline.job !== undefined) {
    throw new PipelineSpecError(
      "unwritable",
      "",
      "a job with a platform specification can only be printed as YAML",
    );
  }
  return `${escapeOdd(JSON.stringify({ pipelineSpec: main, platformSpec: platform }, undefined, 2))}\n`;
}

function jobAround(
  specification: { [key: string]: unknown },
  job: PipelineJob,
  vertex: VertexFields | undefined,
): { readonly [key: string]: unknown } {
  const json = writeJson("PipelineJob", { ...job, pipelineSpec: specification });
  return vertex === undefined ? json : withVertexFields(json, vertex);
}
