import type { KnownCall } from "../http/known-call.js";
import type { CreateExperimentOptions } from "./experiments-api.js";
import type {
  CreatePipelineOptions,
  DeletePipelineOptions,
  PipelineFromUrlOptions,
  UpdateOptions,
  UploadOptions,
} from "./pipelines-api.js";
import type { CreateRecurringRunOptions, DeleteRecurringRunOptions } from "./recurring-runs-api.js";
import type { CreateRunOptions } from "./runs-api.js";
import type { UploadVersionOptions, VersionFromUrlOptions } from "./versions-api.js";

const labels = { name: "text", displayName: "text", description: "text" } as const;
const runRequest = {
  pipeline: "any",
  version: "any",
  file: "any",
  parameters: "object",
  pipelineRoot: "text",
  experiment: "any",
  serviceAccount: "text",
  description: "text",
  caching: [true, false],
  pluginsInput: "object",
  validate: [true, false],
} as const;

export const uploadPipeline: KnownCall<UploadOptions> = {
  caller: "pipelines.upload",
  options: {
    ...labels,
    namespace: "text",
    ifExists: ["fail", "version"],
    versionName: "text",
    codeSourceUrl: "text",
    tags: "object",
    validate: [true, false],
  },
};
export const createPipeline: KnownCall<CreatePipelineOptions> = {
  caller: "pipelines.create",
  options: { ...labels, namespace: "text", tags: "object" },
};
export const pipelineFromUrl: KnownCall<PipelineFromUrlOptions> = {
  caller: "pipelines.createFromUrl",
  options: { ...labels, namespace: "text", tags: "object", url: "text" },
};
export const update: KnownCall<UpdateOptions> = {
  caller: "update",
  options: { displayName: "text", tags: "object" },
};
export const deletePipeline: KnownCall<DeletePipelineOptions> = {
  caller: "pipelines.delete",
  options: { cascade: [true, false] },
};
export const uploadVersion: KnownCall<UploadVersionOptions> = {
  caller: "versions.upload",
  options: { ...labels, codeSourceUrl: "text", tags: "object", validate: [true, false] },
};
export const versionFromUrl: KnownCall<VersionFromUrlOptions> = {
  caller: "versions.createFromUrl",
  options: { ...labels, codeSourceUrl: "text", url: "text" },
};
export const makeExperiment: KnownCall<CreateExperimentOptions> = {
  caller: "experiments.create",
  options: { description: "text", namespace: "text" },
};
export const createRun: KnownCall<CreateRunOptions> = {
  caller: "runs.create",
  options: { ...runRequest, name: "text", runId: "text" },
};
export const createRecurringRun: KnownCall<CreateRecurringRunOptions> = {
  caller: "recurringRuns.create",
  options: {
    ...runRequest,
    name: "text",
    cron: "text",
    intervalSeconds: "limit",
    startTime: "any",
    endTime: "any",
    maxConcurrency: "limit",
    isEnabled: [true, false],
    catchUp: [true, false],
  },
};
export const deleteRecurringRun: KnownCall<DeleteRecurringRunOptions> = {
  caller: "recurringRuns.delete",
  options: { propagation: ["foreground", "background", "orphan"] },
};
