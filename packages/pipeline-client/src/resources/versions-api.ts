import type { CallOptions } from "../client-options.js";
import type { VersionFilter } from "../lists/filter.js";
import type { ListOptions } from "../lists/list-settings.js";
import type { PagedList } from "../lists/paged-list.js";
import type { Reference } from "../reference.js";
import type { PipelineInput } from "../upload/pipeline-file.js";
import type { PipelineVersion } from "../wire/uploaded-pipeline.js";
import type { UpdateOptions } from "./pipelines-api.js";

/** By what versions can be sorted. */
export type VersionSortKey = "pipelineVersionId" | "name" | "displayName" | "createdAt" | "description";

/** What a list of versions takes. */
export interface VersionListOptions extends ListOptions<VersionFilter, VersionSortKey> {}

/** What the upload of a version takes. */
export interface UploadVersionOptions extends CallOptions {
  /** The name of the version: one with the time if not given. */
  readonly name?: string | undefined;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly codeSourceUrl?: string | undefined;
  /** For servers from 2.17 on. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** False to send a file in spite of its mistakes. What is no YAML is refused all the same: servers hang on it. */
  readonly validate?: boolean | undefined;
}

/** A version whose file the server fetches by itself. */
export interface VersionFromUrlOptions extends CallOptions {
  /** The address of the file. Servers from 2.17 on take few hosts. */
  readonly url: string;
  readonly name?: string | undefined;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  readonly codeSourceUrl?: string | undefined;
}

/** Versions of pipelines. */
export interface VersionsApi {
  /** Checks a file and uploads it as a version of a pipeline. */
  upload(pipeline: Reference, file: PipelineInput, options?: UploadVersionOptions): Promise<PipelineVersion>;
  createFromUrl(pipeline: Reference, options: VersionFromUrlOptions): Promise<PipelineVersion>;
  get(pipeline: Reference, version: Reference, options?: CallOptions): Promise<PipelineVersion>;
  /** The one that was made last; undefined when there is none. */
  latest(pipeline: Reference, options?: CallOptions): Promise<PipelineVersion | undefined>;
  list(pipeline: Reference, options?: VersionListOptions): PagedList<PipelineVersion>;
  update(pipeline: Reference, version: Reference, options: UpdateOptions): Promise<PipelineVersion>;
  delete(pipeline: Reference, version: Reference, options?: CallOptions): Promise<void>;
}
