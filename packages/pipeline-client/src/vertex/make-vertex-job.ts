import {
  type ComponentInputsSpec,
  checkOptions,
  configFromFile,
  jsonProblem,
  type KnownOptions,
  ownEntry,
  type Pipeline,
  type PipelineSpec,
  type Problem,
  pointer,
  writeJson,
} from "@wye/pipeline-spec";
import { newId } from "../new-id.js";
import { doubtfulIntegers, isInteger } from "../upload/doubtful-integers.js";
import { readPipelineFile, refused } from "../upload/pipeline-file.js";
import { withCaching } from "../upload/with-caching.js";
import type { JsonObject } from "../wire/read-message.js";
import type { VertexJobOptions } from "./vertex-job-options.js";

/** A job as it is sent. */
export interface VertexJobRequest {
  readonly jobId: string;
  readonly body: JsonObject;
}

const known: KnownOptions<VertexJobOptions> = {
  file: "any",
  jobId: "text",
  displayName: "text",
  parameters: "object",
  inputArtifacts: "object",
  pipelineRoot: "text",
  failurePolicy: ["fast", "slow"],
  caching: [true, false],
  labels: "object",
  serviceAccount: "text",
  network: "text",
  reservedIpRanges: "any",
  kmsKeyName: "text",
  templateUri: "text",
  preflightValidations: [true, false],
  validate: [true, false],
};

/** Rules of the server of Kubeflow: Vertex AI takes older specifications too, and values beside the file. */
const notOfVertex = { "schema-version-unsupported": "off", "runtime-parameter-missing": "off" } as const;

/**
 * Makes a job of a pipeline. Everything that Vertex AI would refuse later is refused here, all at once.
 *
 * @param now  when the job is made, for its id
 * @throws PipelineClientError `invalid_pipeline` or `invalid_parameters`
 */
export async function makeVertexJob(
  options: VertexJobOptions,
  now: Date = new Date(),
): Promise<VertexJobRequest> {
  checkOptions("a job", options, known);
  checkValues(options);
  const { pipeline } = await readPipelineFile(options.file, options.validate !== false, notOfVertex);
  const name = pipeline.spec.pipelineInfo?.name ?? "";
  const jobId = options.jobId ?? defaultJobId(name, now);
  const displayName = options.displayName ?? (name || jobId);
  const pipelineRoot = rootOf(options, pipeline);
  const platforms = Object.keys(pipeline.platform?.platforms ?? {});
  if (platforms.length > 0 && options.validate !== false) {
    const message = `settings of ${platforms.join(", ")} have no meaning on Vertex AI`;
    throw refused([
      problem("platform", "", message, "take out the second document, or give `validate: false`"),
    ]);
  }
  const parameters = withoutNulls({ ...configFromFile(pipeline).parameterValues, ...options.parameters });
  const problems = [
    ...jobProblems({ ...options, jobId, displayName }),
    ...rootProblems(pipelineRoot),
    ...(options.validate === false ? [] : await inputProblems(parameters, options.inputArtifacts, pipeline)),
  ];
  if (problems.length > 0) throw refused(problems, "invalid_parameters");
  const { caching, labels, serviceAccount, network, reservedIpRanges, kmsKeyName, templateUri } = options;
  const spec = caching === undefined ? pipeline.spec : withCaching(pipeline.spec, caching, false);
  return {
    jobId,
    body: withoutUndefined({
      displayName,
      pipelineSpec: writeJson("PipelineSpec", spec),
      runtimeConfig: runtimeConfig(options, parameters, pipelineRoot, spec),
      labels,
      serviceAccount,
      network,
      reservedIpRanges,
      encryptionSpec: kmsKeyName === undefined ? undefined : { kmsKeyName },
      templateUri,
      preflightValidations: options.preflightValidations,
    }),
  };
}

function checkValues({ parameters = {}, inputArtifacts, reservedIpRanges }: VertexJobOptions): void {
  const problem = jsonProblem(parameters);
  if (problem !== undefined) throw new TypeError(`\`parameters\` has no JSON: ${problem}`);
  if (Object.values(inputArtifacts ?? {}).some((id) => typeof id !== "string"))
    throw new TypeError("`inputArtifacts` has ids of artifacts, which are texts");
  if (reservedIpRanges !== undefined && !Array.isArray(reservedIpRanges))
    throw new TypeError("`reservedIpRanges` is a list of texts");
}

function rootOf({ pipelineRoot }: VertexJobOptions, pipeline: Pipeline): string {
  return pipelineRoot ?? (pipeline.spec.defaultPipelineRoot || configFromFile(pipeline).gcsOutputDirectory);
}

function runtimeConfig(
  { inputArtifacts, failurePolicy }: VertexJobOptions,
  parameters: JsonObject,
  gcsOutputDirectory: string,
  { schemaVersion, root }: PipelineSpec,
): JsonObject {
  const artifacts = Object.entries(inputArtifacts ?? {}).map(([key, artifactId]) => [key, { artifactId }]);
  return withoutUndefined({
    gcsOutputDirectory,
    ...(isLegacy(schemaVersion)
      ? { parameters: legacyParameters(parameters, root?.inputDefinitions?.parameters) }
      : { parameterValues: parameters }),
    failurePolicy: failurePolicy && `PIPELINE_FAILURE_POLICY_FAIL_${failurePolicy.toUpperCase()}`,
    inputArtifacts: artifacts.length === 0 ? undefined : Object.fromEntries(artifacts),
  });
}

/** Specifications of 2.0.0 and before take parameters in another form. */
function isLegacy(schemaVersion: string): boolean {
  const [major = 0, minor = 0, patch = 0] = schemaVersion.split(".").map(Number);
  return schemaVersion !== "" && (major < 2 || (major === 2 && minor === 0 && patch === 0));
}

function legacyParameters(
  parameters: JsonObject,
  declared: ComponentInputsSpec["parameters"] = {},
): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      if (typeof value !== "number")
        return [name, { stringValue: typeof value === "string" ? value : JSON.stringify(value) }];
      // Every whole number is an integer for JavaScript; what it is here its declaration says.
      return [
        name,
        isInteger(ownEntry(declared, name)) ? { intValue: digitsOf(value) } : { doubleValue: value },
      ];
    }),
  );
}

/** The digits of a whole number, however many: `1e+21` is no integer on the wire. */
function digitsOf(value: number): string {
  return Number.isInteger(value) ? `${BigInt(value)}` : `${value}`;
}

/** The name with what may be in an id, the time, and a few characters by chance. */
function defaultJobId(name: string, now: Date): string {
  const clean = name
    .toLowerCase()
    .replaceAll(/[^-a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 100);
  const time = now.toISOString().slice(0, 19).replaceAll(/\D/g, "");
  // Two of one second are two.
  return `${clean.replace(/-+$/, "") || "pipeline"}-${time}-${newId().slice(0, 6)}`;
}

const mostLabels = 64;

function jobProblems({ jobId = "", displayName = "", labels = {} }: VertexJobOptions): readonly Problem[] {
  const problems: Problem[] = [];
  if (!/^[a-z][-a-z0-9]{0,126}$/.test(jobId)) {
    const rule =
      "an id begins with a lower-case letter and has lower-case letters, digits and dashes, 127 at most";
    problems.push(problem("job-id", "/jobId", `${JSON.stringify(jobId)} is no id of a job`, rule));
  }
  if (displayName === "" || [...displayName].length > 128) {
    problems.push(problem("display-name", "/displayName", "a display name has 1 to 128 characters"));
  }
  if (Object.keys(labels).length > mostLabels)
    problems.push(problem("label", "/labels", `there are more than ${mostLabels} labels`));
  for (const [key, value] of Object.entries(labels)) {
    const path = `/labels/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (key === "vertex-ai-pipelines-run-billing-id")
      problems.push(problem("label", path, `the label ${key} is reserved`));
    else if (key === "" || !isLabel(key) || typeof value !== "string" || !isLabel(value)) {
      const rule = "64 characters at most: letters without capitals, digits, `_` and `-`";
      problems.push(problem("label", path, `${JSON.stringify(`${key}: ${value}`)} is no label`, rule));
    }
  }
  return problems;
}

/** Letters of any language that have no capital form here, digits, and two signs. */
function isLabel(text: string): boolean {
  return [...text].length <= 64 && /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}_-]*$/u.test(text);
}

/** What does not fit the pipeline; also what servers of Kubeflow take, or never get to see: fractions of whole numbers, artifacts for no input. */
async function inputProblems(
  parameters: JsonObject,
  inputArtifacts: VertexJobOptions["inputArtifacts"] = {},
  pipeline: Pipeline,
): Promise<readonly Problem[]> {
  const { validateRuntimeConfig } = await import("../upload/rules.js");
  const report = validateRuntimeConfig(pipeline, { parameterValues: parameters });
  const { parameters: declared = {}, artifacts = {} } = pipeline.spec.root?.inputDefinitions ?? {};
  const numbers = Object.entries(parameters).filter(
    ([name, value]) =>
      typeof value === "number" && isInteger(ownEntry(declared, name)) && !Number.isInteger(value),
  );
  const unknown = Object.keys(inputArtifacts).filter((name) => ownEntry(artifacts, name) === undefined);
  return [
    ...numbers.map(([name, value]) =>
      problem("parameter", pointer("/parameters", name), `${value} is no whole number`),
    ),
    ...unknown.map((name) => {
      const message = `the pipeline has no input artifact ${JSON.stringify(name)}`;
      return problem("input-artifact", pointer("/inputArtifacts", name), message);
    }),
    ...report.problems.filter(({ severity }) => severity === "error"),
    ...doubtfulIntegers(parameters, pipeline),
  ];
}

function rootProblems(pipelineRoot: string): readonly Problem[] {
  if (/^gs:\/\/[^/\s]+/.test(pipelineRoot)) return [];
  const message =
    pipelineRoot === ""
      ? "there is no place for artifacts"
      : `${JSON.stringify(pipelineRoot)} is no place in Cloud Storage`;
  return [
    problem("pipeline-root", "/pipelineRoot", message, "give `pipelineRoot`, such as gs://bucket/folder"),
  ];
}

function problem(code: string, path: string, message: string, hint?: string): Problem {
  return { code, severity: "error", path, message, ...(hint !== undefined && { hint }) };
}

function withoutNulls(parameters: JsonObject = {}): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined),
  );
}

function withoutUndefined(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
