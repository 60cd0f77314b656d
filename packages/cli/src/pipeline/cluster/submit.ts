import { randomUUID } from "node:crypto";
import { isPipelineClientError, type PipelineClient, type Run } from "@wye/pipeline-client";
import { parsePipeline } from "@wye/pipeline-spec";
import { validatePipeline } from "@wye/pipeline-validator";
import type { ExitCode } from "../../exit-code.js";
import type { Host } from "../../host.js";
import { printable } from "../../printable.js";
import { parametersOf } from "../parameters-of.js";
import { printProblems, readPipelineFile } from "../read-file.js";
import { type ClusterOptions, withCluster } from "./connect.js";
import { followRun } from "./follow.js";

/** The options of `wye pipeline submit`. */
export interface SubmitOptions extends ClusterOptions {
  readonly parameter: readonly string[];
  readonly name?: string;
  readonly experiment?: string;
  readonly root?: string;
  readonly serviceAccount?: string;
  readonly cache?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** Checks a pipeline, starts a run of it on a server, and follows it if wished. */
export async function submitPipeline(name: string, options: SubmitOptions, host: Host): Promise<ExitCode> {
  const file = await readPipelineFile(name, host);
  // What a file that is a run lacks may stand on the command line: the client knows all that the run is given.
  const report = validatePipeline(file.bytes, { rules: { "runtime-parameter-missing": "off" } });
  const parsed = parsePipeline(file.bytes);
  if (!report.ok || !parsed.ok) {
    printProblems(report, file, host);
    return 1;
  }
  const parameters = parametersOf(parsed.pipeline, options.parameter);
  return withCluster(options, host, async (client, outage) => {
    const runId = randomUUID();
    const start = () =>
      client.runs.create({
        runId,
        file: file.bytes,
        parameters,
        name: options.name,
        experiment: options.experiment,
        pipelineRoot: options.root,
        serviceAccount: options.serviceAccount,
        // Without the option tasks decide for themselves.
        caching: options.cache === false ? false : undefined,
        signal: host.interrupted,
      });
    const run = await unlessLost(runId, host, () => withExperiment(client, options, host, start));
    tellStart(client, run, options, host);
    return options.wait ? followRun(client, run.runId, options, host, outage) : 0;
  });
}

/** An experiment that is not there is made, as kfp does, when all else is known to be right. */
async function withExperiment(
  client: PipelineClient,
  { experiment = "" }: SubmitOptions,
  { err, interrupted }: Host,
  start: () => Promise<Run>,
): Promise<Run> {
  try {
    return await start();
  } catch (error) {
    const isMissing =
      isPipelineClientError(error) && error.code === "not_found" && error.status === undefined;
    if (!isMissing || experiment === "") throw error;
    await client.experiments.ensure(experiment, { signal: interrupted });
    err.write(`made the experiment ${printable(experiment)}\n`);
    return start();
  }
}

/** Whoever interrupts a start must be able to find out whether it was one. */
async function unlessLost(
  runId: string,
  { err, interrupted }: Host,
  start: () => Promise<Run>,
): Promise<Run> {
  try {
    return await start();
  } catch (error) {
    if (interrupted.aborted) err.write(`the run may have been started: wye pipeline wait ${runId}\n`);
    throw error;
  }
}

/** What a script goes on with is printed alone; where people look is told beside it. */
function tellStart({ links }: PipelineClient, run: Run, { json }: SubmitOptions, { out, err }: Host): void {
  const link = links.run(run.runId);
  if (json)
    out.write(`${JSON.stringify({ run: run.runId, name: run.displayName, state: run.state, link })}\n`);
  else {
    out.write(`${printable(run.runId)}\n`);
    err.write(`started: ${link}\n`);
  }
}
