import { resolve } from "node:path";
import { PipelineRunError, type RunEvent } from "@wye/pipeline-runner";
import { type RunResult, runPipeline, terminalProgress } from "@wye/pipeline-runner/node";
import type { Profile } from "@wye/pipeline-validator";
import { type ExitCode, UsageError } from "../exit-code.js";
import { type Host, isColored } from "../host.js";
import { printable } from "../printable.js";
import { parametersOf } from "./parameters-of.js";
import { parsePipelineFile } from "./read-file.js";
import { checkReportFile, writeReport } from "./report-file.js";

/** The options of `wye pipeline run`. */
export interface RunOptions {
  readonly parameter: readonly string[];
  readonly root: string;
  readonly concurrency?: number;
  readonly cache?: boolean;
  readonly timeout?: number;
  readonly resume?: string | true;
  readonly report?: string;
  readonly json?: boolean;
  readonly profile?: Profile;
}

/** Runs a pipeline on this machine, and tells how it ended. */
export async function runPipelineFile(file: string, options: RunOptions, host: Host): Promise<ExitCode> {
  const pipeline = await parsePipelineFile(file, host);
  if (pipeline === undefined) return 2;
  const { concurrency, timeout, resume, profile, cache = false, root } = options;
  if (resume !== undefined) refuseNewStart(options);
  const report = options.report === undefined ? undefined : resolve(host.cwd, options.report);
  if (report !== undefined) {
    const path = file === "-" ? undefined : resolve(host.cwd, file);
    await checkReportFile(report, { pipeline: path, root: resolve(host.cwd, root) });
  }
  const live = isColored(host, host.err) && host.err.isTTY === true;
  const progress = options.json ? undefined : terminalProgress({ stream: host.err, live });
  try {
    const result = await runPipeline(pipeline, {
      ...(resume === undefined
        ? { parameters: parametersOf(pipeline, options.parameter) }
        : { resumeFrom: resume === true ? resume : resolve(host.cwd, resume) }),
      pipelineRoot: resolve(host.cwd, root),
      cache,
      signal: host.interrupted,
      onEvent: progress?.onEvent ?? jsonEvents(host),
      ...(progress === undefined ? {} : { onLog: progress.onLog }),
      ...(profile === undefined ? {} : { profile }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    });
    const isReported = report === undefined || (await writeReport(result, report, host));
    printOutputs(result, options, host);
    progress?.end(result);
    if (result.state === "SUCCEEDED") return isReported ? 0 : 2;
    return host.interrupted.aborted ? 130 : 1;
  } catch (error) {
    progress?.end();
    if (!(error instanceof PipelineRunError)) throw error;
    // Here the option has another name.
    host.err.write(`wye: ${error.message.replace("another pipelineRoot", "another --root")}\n`);
    return 2;
  }
}

/** Refuses what a run has been started with already. */
function refuseNewStart({ parameter, profile }: RunOptions): void {
  const given = [...(parameter.length > 0 ? ["--parameter"] : []), ...(profile ? ["--profile"] : [])];
  if (given.length === 0) return;
  const remedy = `leave out ${given.join(" and ")}`;
  throw new UsageError(
    `--resume goes on with the parameters and the profile that the run was started with: ${remedy}`,
  );
}

function jsonEvents({ out }: Host): (event: RunEvent) => void {
  return (event) => out.write(`${JSON.stringify(event)}\n`);
}

/** Progress and its end go to the error stream: what is printed here is what the pipeline has made. */
function printOutputs(result: RunResult, { json }: RunOptions, { out }: Host): void {
  const { state, outputs, folder, warnings, tasks } = result;
  const log = tasks.find(({ id }) => id === result.error?.task)?.log;
  const error = result.error && { ...result.error, log };
  if (json) out.write(`${JSON.stringify({ state, folder, outputs, error, warnings })}\n`);
  else {
    for (const [name, value] of Object.entries(outputs?.parameters ?? {})) {
      out.write(`${printable(name)} = ${JSON.stringify(value)}\n`);
    }
  }
}
