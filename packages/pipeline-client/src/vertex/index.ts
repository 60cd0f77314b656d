export {
  PipelineClientError,
  type PipelineClientErrorCode,
  type PipelineClientErrorDetails,
} from "../client-error.js";
export type {
  CallOptions,
  PipelineClientRetry,
  PipelineFetch,
  RequestSettings,
  RetryEvent,
} from "../client-options.js";
export type { PipelineClientClock } from "../clock.js";
export type { PollOptions } from "../follow/run-update.js";
export type { Credential, CredentialRequest, Credentials } from "../http/credentials.js";
export type { Page, PagedList } from "../lists/paged-list.js";
export type { PipelineInput } from "../upload/pipeline-file.js";
export type { JsonObject } from "../wire/read-message.js";
export { createVertexClient } from "./create-vertex-client.js";
export { makeVertexJob, type VertexJobRequest } from "./make-vertex-job.js";
export type * from "./vertex-client.js";
export {
  isFinalJobState,
  type VertexError,
  type VertexJob,
  type VertexJobDetail,
  type VertexJobState,
  type VertexTask,
} from "./vertex-job.js";
export { VertexJobError } from "./vertex-job-error.js";
export type { VertexJobOptions } from "./vertex-job-options.js";
