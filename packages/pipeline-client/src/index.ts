export {
  isPipelineClientError,
  PipelineClientError,
  type PipelineClientErrorCode,
  type PipelineClientErrorDetails,
} from "./client-error.js";
export type * from "./client-options.js";
export type { PipelineClientClock } from "./clock.js";
export { createPipelineClient } from "./create-pipeline-client.js";
export { isFinalState } from "./follow/run-state.js";
export type * from "./follow/run-update.js";
export type * from "./http/credentials.js";
export type { PipelineLinks } from "./links.js";
export type {
  ExperimentFilter,
  PipelineFilter,
  RecurringRunFilter,
  RunFilter,
  TextConditions,
  TextFilter,
  TimeFilter,
  VersionFilter,
} from "./lists/filter.js";
export type { ListOptions } from "./lists/list-settings.js";
export type { Page, PagedList } from "./lists/paged-list.js";
export type * from "./pipeline-client.js";
export type { Reference } from "./reference.js";
export type * from "./resources/experiments-api.js";
export type * from "./resources/pipelines-api.js";
export type * from "./resources/recurring-runs-api.js";
export type * from "./resources/runs-api.js";
export type * from "./resources/versions-api.js";
export { isRunError, RunError } from "./run-error.js";
export type { PipelineInput } from "./upload/pipeline-file.js";
export type { Experiment, StorageState } from "./wire/experiment.js";
export type { ServerHealth } from "./wire/health.js";
export type { Int64, JsonObject } from "./wire/read-message.js";
export type { CronSchedule, PeriodicSchedule, RecurringRun, Trigger } from "./wire/recurring-run.js";
export type {
  ArtifactIds,
  ChildTask,
  PipelineVersionReference,
  Run,
  RunDetails,
  RunSettings,
  RunTaskDetail,
  RuntimeState,
  ServerStatus,
  StateChange,
} from "./wire/run.js";
export type { PipelineVersion, UploadedPipeline } from "./wire/uploaded-pipeline.js";
