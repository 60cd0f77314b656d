import { isObject } from "./json-value.js";
import { wellKnownReaders } from "./json-well-known.js";
import type { Reading } from "./reading.js";
import { sortedMembers } from "./sorted-members.js";

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

type Json = { readonly [name: string]: unknown };

/** The fields of a job that only Vertex AI has, as JSON. */
export interface VertexFields {
  readonly job: { readonly [name: string]: unknown };
  readonly runtimeConfig: { readonly [name: string]: unknown };
}

/** The fields that only Vertex AI has; undefined for a job without any. What JSON has no form for is noted. */
export function vertexFields(job: unknown, reading: Reading): VertexFields | undefined {
  if (!isObject(job)) return undefined;
  const own = fieldsOf(job, ofJob);
  const { runtimeConfig } = job;
  const ofConfig = isObject(runtimeConfig) ? fieldsOf(runtimeConfig, ofRuntimeConfig) : {};
  if (Object.keys(own).length + Object.keys(ofConfig).length === 0) return undefined;
  const copied = copy(own, reading);
  reading.path.push("runtimeConfig");
  const copiedConfig = copy(ofConfig, reading);
  return { job: copied, runtimeConfig: copiedConfig };
}

function fieldsOf(value: Json, names: ReadonlySet<string>): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)));
}

function copy(fields: Json, reading: Reading): Json {
  const copied = wellKnownReaders.S(fields, reading);
  return isObject(copied) ? copied : {};
}

/** The JSON of a job with the fields that only Vertex AI has, in alphabetical order. */
export function withVertexFields(job: Json, { job: own, runtimeConfig: ofConfig }: VertexFields): Json {
  const all = { ...job, ...own };
  if (Object.keys(ofConfig).length === 0) return sortedMembers(all);
  return sortedMembers({
    ...all,
    runtimeConfig: sortedMembers({ ...Object(job.runtimeConfig), ...ofConfig }),
  });
}

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
