import { configFromFile, jsonProblem, type Pipeline, parsePipeline, writeJson } from "@wye/pipeline-spec";
import { PipelineClientError } from "../client-error.js";
import { basePath, type ClientContext } from "../context.js";
import { pathSegment } from "../http/api-request.js";
import type { Call } from "../http/session.js";
import { doubtfulIntegers } from "../upload/doubtful-integers.js";
import { readPipelineFile, refused } from "../upload/pipeline-file.js";
import { withCaching } from "../upload/with-caching.js";
import type { PipelineVersion } from "../wire/uploaded-pipeline.js";
import { Nested, type RequestMessage } from "../wire/write-message.js";
import { latestVersion, ownVersion } from "./create-versions-api.js";
import { experimentFinder, pipelineFinder } from "./references.js";
import type { RunRequest } from "./runs-api.js";

/** What runs and recurring runs are made of, checked, as members of a request. */
export interface PreparedRun {
  /** The name of the pipeline. */
  readonly name: string;
  readonly members: RequestMessage;
}

/** What is run, and what it is given. */
interface RunSource extends PreparedRun, Pick<RunRequest, "parameters" | "pipelineRoot"> {}

/** Looks up what a run refers to, and checks all that is known before it is sent. */
export async function prepareRun(
  context: ClientContext,
  request: RunRequest,
  call: Call,
): Promise<PreparedRun> {
  const { pipeline, version, file, experiment, caching } = request;
  if ((pipeline === undefined) === (file === undefined)) {
    throw new TypeError("a run is of a `pipeline` on the server or of a `file`: give exactly one of them");
  }
  if (file === undefined && caching !== undefined) {
    throw new TypeError("`caching` changes the file that is sent: it needs a `file`");
  }
  if (pipeline === undefined && version !== undefined)
    throw new TypeError("a `version` is one of a `pipeline`");
  const problem = jsonProblem(request.parameters ?? {});
  if (problem !== undefined) throw new TypeError(`\`parameters\` has no JSON: ${problem}`);
  const source = file === undefined ? await fromServer(context, request, call) : await fromFile(request);
  const experimentId =
    experiment === undefined ? undefined : await experimentFinder(context).idOf(experiment, call);
  const { serviceAccount, description, pluginsInput } = request;
  const { parameters, pipelineRoot } = source;
  const runtimeConfig =
    parameters === undefined && pipelineRoot === undefined
      ? undefined
      : new Nested({ parameters, pipelineRoot });
  return {
    name: source.name,
    members: { description, experimentId, ...source.members, runtimeConfig, serviceAccount, pluginsInput },
  };
}

/** A file that is a run of the API, or a job, says itself what it is given, as far as the request does not. */
async function fromFile({ file, caching, validate, ...given }: RunRequest): Promise<RunSource> {
  if (file === undefined) throw new TypeError("a run is of a `file`");
  const isChecked = validate !== false;
  const { pipeline } = await readPipelineFile(file, isChecked, { "runtime-parameter-missing": "off" });
  const { parameterValues, gcsOutputDirectory } = configFromFile(pipeline);
  const values = { ...parameterValues, ...given.parameters };
  const isGiven = given.parameters !== undefined || Object.keys(values).length > 0;
  if (isChecked) await checkParameters(pipeline, values);
  const spec = writeJson(
    "PipelineSpec",
    caching === undefined ? pipeline.spec : withCaching(pipeline.spec, caching, true),
  );
  const platform = pipeline.platform === undefined ? {} : writeJson("PlatformSpec", pipeline.platform);
  const isPlain = Object.keys(platform).length === 0;
  return {
    name: pipeline.spec.pipelineInfo?.name || "run",
    members: { pipelineSpec: isPlain ? spec : { pipeline_spec: spec, platform_spec: platform } },
    parameters: isGiven ? values : undefined,
    pipelineRoot: given.pipelineRoot ?? (gcsOutputDirectory || undefined),
  };
}

async function fromServer(
  context: ClientContext,
  { pipeline, version, parameters, pipelineRoot, validate }: RunRequest,
  call: Call,
): Promise<RunSource> {
  if (pipeline === undefined) throw new TypeError("a run is of a `pipeline`");
  const pipelineId = await pipelineFinder(context).idOf(pipeline, call);
  // The newest is looked up as well, so that what was checked is what runs.
  const found =
    version === undefined
      ? await latestVersion(context, pipelineId, call)
      : await ownVersion(context, pipelineId, version, call);
  // Servers look for a version with the id of the pipeline then, and say that there is none.
  if (found === undefined) throw withoutVersion(pipelineId);
  if (validate !== false) await checkStored(found, parameters);
  const reference = new Nested({ pipelineId, pipelineVersionId: found.pipelineVersionId });
  const name = found.displayName ?? found.name ?? "run";
  return { name, members: { pipelineVersionReference: reference }, parameters, pipelineRoot };
}

function withoutVersion(pipelineId: string): PipelineClientError {
  return new PipelineClientError(`the pipeline ${pipelineId} has no version that could run`, {
    code: "not_found",
    remedy: "upload one with `versions.upload`",
  });
}

/** Checks parameters against a version on the server, as far as this version of the specification can read it. */
async function checkStored(
  { pipelineSpec }: PipelineVersion,
  parameters: RunRequest["parameters"],
): Promise<void> {
  if (pipelineSpec === undefined) return;
  const parsed = parsePipeline(JSON.stringify(pipelineSpec), {
    deprecations: false,
    ignoreUnknownFields: true,
  });
  if (parsed.ok) await checkParameters(parsed.pipeline, parameters);
}

async function checkParameters(pipeline: Pipeline, parameters: RunRequest["parameters"] = {}): Promise<void> {
  const { validateRuntimeConfig } = await import("../upload/rules.js");
  const report = validateRuntimeConfig(pipeline, { parameterValues: parameters });
  const doubtful = doubtfulIntegers(parameters, pipeline);
  if (!report.ok || doubtful.length > 0)
    throw refused([...report.problems, ...doubtful], "invalid_parameters");
}

/** The path of one run. */
export function runPath(runId: string): string {
  return `${basePath}/runs/${pathSegment(runId)}`;
}
