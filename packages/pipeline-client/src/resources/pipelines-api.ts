import type { CallOptions } from "../client-options.js";
import type { PipelineFilter } from "../lists/filter.js";
import type { ListOptions } from "../lists/list-settings.js";
import type { PagedList } from "../lists/paged-list.js";
import type { Reference } from "../reference.js";
import type { PipelineInput } from "../upload/pipeline-file.js";
import type { PipelineVersion, UploadedPipeline } from "../wire/uploaded-pipeline.js";

/** By what pipelines can be sorted. */
export type PipelineSortKey =
  | "pipelineId"
  | "name"
  | "displayName"
  | "createdAt"
  | "description"
  | "namespace";

/** What a list of pipelines takes. */
export interface PipelineListOptions extends ListOptions<PipelineFilter, PipelineSortKey> {
  /** That of the client if not given; `""` for shared pipelines. */
  readonly namespace?: string | undefined;
}

/** What an upload takes. */
export interface UploadOptions extends CallOptions {
  /** The name of the pipeline: that in the file if not given. */
  readonly name?: string | undefined;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  /** That of the client if not given; `""` for a shared pipeline. */
  readonly namespace?: string | undefined;
  /**
   * What to do when there is a pipeline of this name: `fail` with `conflict`, or upload a new `version` of it. `fail` if not given.
   */
  readonly ifExists?: "fail" | "version" | undefined;
  /** The name of the version. If not given: of the first version that of the pipeline, of others one with the time. */
  readonly versionName?: string | undefined;
  /** Where the code is, for the version. */
  readonly codeSourceUrl?: string | undefined;
  /** For servers from 2.17 on. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** False to send a file in spite of its mistakes. What is no YAML is refused all the same: servers hang on it. */
  readonly validate?: boolean | undefined;
}

/** What came of an upload. */
export interface Upload {
  readonly pipeline: UploadedPipeline;
  readonly version: PipelineVersion;
  /** False when it became a version of a pipeline that was there. */
  readonly isNew: boolean;
}

/** What a pipeline without a version is made of. */
export interface CreatePipelineOptions extends CallOptions {
  readonly name?: string | undefined;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly namespace?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** A pipeline whose file the server fetches by itself. */
export interface PipelineFromUrlOptions extends CreatePipelineOptions {
  /** The address of the file. Servers from 2.17 on take few hosts. */
  readonly url: string;
}

/** What of a pipeline or a version can be changed, on servers from 2.17 on. */
export interface UpdateOptions extends CallOptions {
  readonly displayName?: string | undefined;
  /** All of them; `{}` removes them. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** What a deletion takes. */
export interface DeletePipelineOptions extends CallOptions {
  /** Deletes its versions as well. */
  readonly cascade?: boolean | undefined;
}

/** Pipelines on the server. */
export interface PipelinesApi {
  /**
   * Checks a file and uploads it.
   *
   * @throws PipelineClientError `invalid_pipeline` with all problems of the file, before anything is sent
   */
  upload(pipeline: PipelineInput, options?: UploadOptions): Promise<Upload>;
  /** Makes a pipeline without versions. */
  create(options: CreatePipelineOptions): Promise<UploadedPipeline>;
  /** Makes a pipeline with a version from a file that the server fetches. */
  createFromUrl(options: PipelineFromUrlOptions): Promise<UploadedPipeline>;
  /** By id, or by name in the namespace of the client and then among shared ones. */
  get(pipeline: Reference, options?: CallOptions): Promise<UploadedPipeline>;
  list(options?: PipelineListOptions): PagedList<UploadedPipeline>;
  update(pipeline: Reference, options: UpdateOptions): Promise<UploadedPipeline>;
  /** Runs stay. */
  delete(pipeline: Reference, options?: DeletePipelineOptions): Promise<void>;
}
