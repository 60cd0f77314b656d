import { isObject } from "./json-value.js";

/** What Vertex AI adds to a job: settings of its service, and what it tells of the run. */
const ofJob: ReadonlySet<string> = new Set([
  ...["createTime", "startTime", "endTime", "updateTime", "state", "jobDetail", "error", "encryptionSpec"],
  ...[
    "serviceAccount",
    "network",
    "reservedIpRanges",
    "pscInterfaceConfig",
    "templateUri",
    "templateMetadata",
  ],
  ...["scheduleName", "preflightValidations", "satisfiesPzs", "satisfiesPzi", "originalPipelineJobId"],
  ...["pipelineTaskRerunConfigs"],
]);
const ofRuntimeConfig: ReadonlySet<string> = new Set(["failurePolicy", "inputArtifacts", "defaultRuntime"]);

/** A job without the fields that only Vertex AI has: they are right there, and say nothing about the pipeline. */
export function withoutVertexFields(job: unknown): unknown {
  if (!isObject(job)) return job;
  const entries = Object.entries(job).filter(([name]) => !ofJob.has(name));
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      name === "runtimeConfig" && isObject(value)
        ? Object.fromEntries(Object.entries(value).filter(([field]) => !ofRuntimeConfig.has(field)))
        : value,
    ]),
  );
}
