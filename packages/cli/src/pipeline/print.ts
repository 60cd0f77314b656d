import { printPipeline } from "@wye/pipeline-spec";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { parsePipelineFile } from "./read-file.js";

/** Prints a pipeline in its canonical form. */
export async function printPipelineFile(
  file: string,
  { format, json }: { readonly format: "yaml" | "json"; readonly json?: boolean },
  host: Host,
): Promise<ExitCode> {
  const pipeline = await parsePipelineFile(file, host);
  if (pipeline === undefined) return 1;
  const text = printPipeline(pipeline, { format: json ? "json" : format });
  host.out.write(text.endsWith("\n") ? text : `${text}\n`);
  return 0;
}
