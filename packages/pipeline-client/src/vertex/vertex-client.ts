import type { CallOptions, RequestSettings } from "../client-options.js";
import type { PollOptions } from "../follow/run-update.js";
import type { Credential } from "../http/credentials.js";
import type { PagedList } from "../lists/paged-list.js";
import type { VertexJob, VertexJobState, VertexTask } from "./vertex-job.js";
import type { VertexJobOptions } from "./vertex-job-options.js";

/** How to make a client of Vertex AI. */
export interface VertexClientOptions extends Omit<RequestSettings, "auth" | "cookies"> {
  /** The project, by id or number. */
  readonly project: string;
  /** Such as `europe-west4`; `us`, `eu` and `global` where Vertex AI has what is asked for there. */
  readonly location: string;
  /** An access token with the scope `cloud-platform`, or what gives one: it is asked before every request. */
  readonly token: Credential<string>;
  /** Another address than that of the location, such as a private endpoint. */
  readonly host?: string | URL | undefined;
}

/** What a list of jobs takes. */
export interface VertexListOptions extends CallOptions {
  /** In the language of AIP-160, such as `state="PIPELINE_STATE_RUNNING" AND labels.team="ml"`. */
  readonly filter?: string | undefined;
  /** Such as `create_time desc`. */
  readonly orderBy?: string | undefined;
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
}

/** A task, or the job itself, that has come to another state. */
export interface VertexChange {
  readonly task?: VertexTask;
  readonly from?: string;
  readonly state: string;
}

/** What is known of a job that is followed. */
export interface VertexJobUpdate {
  readonly job: VertexJob;
  readonly state: VertexJobState;
  /** True for the last one. */
  readonly isFinal: boolean;
  readonly changes: readonly VertexChange[];
}

/** Pipeline jobs of one project in one location. A job is named by its id, or by its whole name. */
export interface VertexClient {
  /**
   * Checks a pipeline and runs it.
   *
   * @throws PipelineClientError `invalid_pipeline` or `invalid_parameters` with all problems, before anything is sent
   */
  create(options: VertexJobOptions & CallOptions): Promise<VertexJob>;
  get(job: string, options?: CallOptions): Promise<VertexJob>;
  list(options?: VertexListOptions): PagedList<VertexJob>;
  cancel(job: string, options?: CallOptions): Promise<void>;
  /** Begins to delete it. */
  delete(job: string, options?: CallOptions): Promise<void>;
  /** What becomes of a job, until it has ended in whatever way. */
  follow(job: string, options?: PollOptions): AsyncIterable<VertexJobUpdate>;
  /**
   * Waits for the end of a job.
   *
   * @throws VertexJobError when it has failed or was cancelled, with the task that failed
   */
  wait(job: string, options?: PollOptions): Promise<VertexJob>;
  /** The address of the page of a job, for people. */
  link(job: string): string;
}
