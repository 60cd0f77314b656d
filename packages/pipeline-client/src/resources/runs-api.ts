import type { CallOptions } from "../client-options.js";
import type { FollowOptions, RunUpdate, WaitOptions } from "../follow/run-update.js";
import type { RunFilter } from "../lists/filter.js";
import type { ListOptions } from "../lists/list-settings.js";
import type { PagedList } from "../lists/paged-list.js";
import type { Reference } from "../reference.js";
import type { PipelineInput } from "../upload/pipeline-file.js";
import type { JsonObject } from "../wire/read-message.js";
import type { Run } from "../wire/run.js";

/** By what runs can be sorted. */
export type RunSortKey =
  | "runId"
  | "displayName"
  | "createdAt"
  | "finishedAt"
  | "scheduledAt"
  | "description"
  | "storageState"
  | "state"
  | "namespace";

/** What a list of runs takes. */
export interface RunListOptions extends ListOptions<RunFilter, RunSortKey> {
  /** Only its runs; then the namespace is that of the experiment. */
  readonly experiment?: Reference | undefined;
  /** That of the client if not given. */
  readonly namespace?: string | undefined;
}

/** What a run is made of: a `pipeline` on the server, or a `file`, and what it is given. */
export interface RunRequest {
  /** A pipeline on the server. */
  readonly pipeline?: Reference | undefined;
  /** Which version of it: the newest if not given. */
  readonly version?: Reference | undefined;
  /** A file, which is sent along and not kept as a pipeline. */
  readonly file?: PipelineInput | undefined;
  readonly parameters?: JsonObject | undefined;
  /** Where artifacts go, such as `gs://bucket/folder`. */
  readonly pipelineRoot?: string | undefined;
  readonly experiment?: Reference | undefined;
  readonly serviceAccount?: string | undefined;
  readonly description?: string | undefined;
  /** Whether results of earlier runs are taken, for all tasks of a `file`; what its tasks say if not given. */
  readonly caching?: boolean | undefined;
  /** For servers from 2.17 on. */
  readonly pluginsInput?: JsonObject | undefined;
  /** False to send a file or parameters in spite of their mistakes. */
  readonly validate?: boolean | undefined;
}

/** What a new run takes. */
export interface CreateRunOptions extends RunRequest, CallOptions {
  /** For people; the name of the pipeline and the time if not given. */
  readonly name?: string | undefined;
  /** A new UUID if not given. It lets a lost answer be found again. */
  readonly runId?: string | undefined;
}

/** Whose log is read: that of a node of the workflow engine, or that of a pod, through the web page's server. */
export type LogSource =
  | { readonly nodeId: string }
  | { readonly podName: string; readonly podNamespace?: string | undefined };

/** Runs on the server. */
export interface RunsApi {
  /**
   * Checks what is to be run and starts it. When the answer gets lost, the run is looked for by its id, and never started twice.
   *
   * @throws PipelineClientError `invalid_pipeline` or `invalid_parameters` with all problems, before anything is sent
   */
  create(options: CreateRunOptions): Promise<Run>;
  /** By id, or by name where only one run has it. A text is taken for an id first. */
  get(run: Reference, options?: CallOptions): Promise<Run>;
  list(options?: RunListOptions): PagedList<Run>;
  /** Ends it; Kubeflow calls its state FAILED then. A run that has ended stays as it is, and no error is thrown. */
  terminate(run: Reference, options?: CallOptions): Promise<void>;
  /** Runs again, in the same run, what has failed. */
  retry(run: Reference, options?: CallOptions): Promise<void>;
  archive(run: Reference, options?: CallOptions): Promise<void>;
  unarchive(run: Reference, options?: CallOptions): Promise<void>;
  /** Also while it runs. */
  delete(run: Reference, options?: CallOptions): Promise<void>;
  /**
   * What becomes of a run, until it has ended in whatever way: first what is known now, then every change. It asks again and again, less
   * often the longer nothing happens, and gets over failures of the server.
   */
  follow(run: Reference, options?: FollowOptions): AsyncIterable<RunUpdate>;
  /**
   * Waits for the end of a run.
   *
   * @throws RunError when it has failed or was cancelled, with the task that failed
   * @throws PipelineClientError `timeout` after `maxWaitMs`; the run goes on
   */
  wait(run: Reference, options?: WaitOptions): Promise<Run>;
  /** What a step has printed, where the server still has it. */
  log(run: Reference, source: LogSource, options?: CallOptions): Promise<string>;
  /** An artifact that the workflow engine knows of, such as `main-logs`; not those of the pipeline. */
  artifact(run: Reference, nodeId: string, name: string, options?: CallOptions): Promise<Uint8Array>;
}
