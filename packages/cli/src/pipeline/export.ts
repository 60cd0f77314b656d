import { resolve } from "node:path";
import { type ArgoOptions, type ArgoResult, printArgoWorkflow, toArgoWorkflow } from "@wye/pipeline-argo";
import type { Pipeline } from "@wye/pipeline-spec";
import { type ExitCode, UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { messageOf } from "../message-of.js";
import { readText } from "../read-text.js";
import { replaceFile } from "../replace-file.js";
import { parametersOf } from "./parameters-of.js";
import { type PipelineFile, parseRead, printProblems, readPipelineFile } from "./read-file.js";

/** The options of `wye pipeline export`. */
export interface ExportOptions {
  readonly target?: "main" | "2.17" | "2.16";
  readonly parameter: readonly string[];
  readonly pipelineRoot?: string;
  readonly displayName?: string;
  readonly cacheDisabled?: boolean;
  readonly driverImage?: string;
  readonly launcherImage?: string;
  readonly namespace?: string;
  readonly serviceAccount?: string;
  readonly options?: string;
  readonly format: "yaml" | "json";
  readonly json?: boolean;
  readonly indent?: boolean;
  readonly sources?: string;
  readonly quiet?: boolean;
}

/** Prints the workflow that the back end makes of a pipeline. */
export async function exportPipelineFile(
  name: string,
  options: ExportOptions,
  host: Host,
): Promise<ExitCode> {
  refuseOverwriting(name, options, host);
  const given = options.options === undefined ? {} : await readOptions(options.options, host);
  const file = await readPipelineFile(name, host);
  const pipeline = await parseRead(file, host);
  if (pipeline === undefined) return 1;
  const result = compile(pipeline, { ...given, ...namedOptions(pipeline, given, options) });
  tellProblems(result, file, options, host);
  if (!result.ok) return 1;
  if (options.sources !== undefined) await writeSources(result, options.sources, host);
  const format = options.json ? "json" : options.format;
  host.out.write(
    printArgoWorkflow(result.workflow, { format, texts: options.indent ? "indented" : "exact" }),
  );
  return 0;
}

/** `--sources` reads like something that is read. */
function refuseOverwriting(name: string, { sources, options }: ExportOptions, { cwd }: Host): void {
  if (sources === undefined) return;
  for (const read of [name, options])
    if (read !== undefined && resolve(cwd, read) === resolve(cwd, sources))
      throw new UsageError(`--sources ${sources}: that file is read; name another one to write to`);
}

/** A file with any of the options of the library. */
async function readOptions(name: string, { cwd }: Host): Promise<ArgoOptions> {
  try {
    return JSON.parse(await readText(resolve(cwd, name)));
  } catch (error) {
    throw new UsageError(`--options ${name}: ${messageOf(error)}`);
  }
}

/** What stands on the command line wins over what stands in the file. */
function namedOptions(pipeline: Pipeline, given: ArgoOptions, options: ExportOptions): ArgoOptions {
  const { target, pipelineRoot, displayName, cacheDisabled, driverImage, launcherImage, namespace } = options;
  const { serviceAccount: serviceAccountName } = options;
  const values = { pipelineRoot, displayName, driverImage, launcherImage, namespace, serviceAccountName };
  const known = Object.entries({ target, cacheDisabled, ...values }).filter(
    ([, value]) => value !== undefined,
  );
  const { runtimeConfig = pipeline.run?.runtimeConfig ?? pipeline.job?.runtimeConfig } = given;
  const parameterValues = { ...runtimeConfig?.parameterValues, ...parametersOf(pipeline, options.parameter) };
  return {
    ...Object.fromEntries(known),
    ...(options.parameter.length === 0 ? {} : { runtimeConfig: { ...runtimeConfig, parameterValues } }),
  };
}

function compile(pipeline: Pipeline, options: ArgoOptions): ArgoResult {
  try {
    return toArgoWorkflow(pipeline, options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(messageOf(error));
  }
}

function tellProblems(result: ArgoResult, file: PipelineFile, { quiet }: ExportOptions, host: Host): void {
  const { ok, counts } = result;
  const problems = quiet ? result.problems.filter(({ severity }) => severity === "error") : result.problems;
  if (problems.length === 0) return;
  const shown = quiet ? { ...counts, warning: 0, info: 0 } : counts;
  printProblems({ ok, problems, counts: shown, unchecked: [] }, file, host);
}

async function writeSources(result: ArgoResult & { ok: true }, name: string, { cwd }: Host): Promise<void> {
  try {
    await replaceFile(resolve(cwd, name), `${JSON.stringify(result.sources, undefined, 2)}\n`);
  } catch (error) {
    throw new UsageError(`--sources ${name}: ${messageOf(error)}`);
  }
}
