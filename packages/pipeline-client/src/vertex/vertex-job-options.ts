import type { PipelineInput } from "../upload/pipeline-file.js";
import type { JsonObject } from "../wire/read-message.js";

/** What a job is made of. */
export interface VertexJobOptions {
  readonly file: PipelineInput;
  /** Lower-case letters, digits and dashes; the name of the pipeline and the time if not given. */
  readonly jobId?: string | undefined;
  /** For people, with at most 128 characters; the name of the pipeline if not given. */
  readonly displayName?: string | undefined;
  readonly parameters?: JsonObject | undefined;
  /** Artifacts of the project by the name of the input, by their ids in its metadata store. */
  readonly inputArtifacts?: Readonly<Record<string, string>> | undefined;
  /** Where artifacts go, such as `gs://bucket/folder`: what the file says if not given. */
  readonly pipelineRoot?: string | undefined;
  /** `fast` starts nothing any more once a task has failed. */
  readonly failurePolicy?: "fast" | "slow" | undefined;
  /** Whether results of earlier jobs are taken, for all tasks; what they say if not given. */
  readonly caching?: boolean | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly serviceAccount?: string | undefined;
  /** Such as `projects/12345/global/networks/net`. */
  readonly network?: string | undefined;
  readonly reservedIpRanges?: readonly string[] | undefined;
  readonly kmsKeyName?: string | undefined;
  /** Where the file is in the artifact registry. */
  readonly templateUri?: string | undefined;
  readonly preflightValidations?: boolean | undefined;
  /** False to send a file in spite of its mistakes. */
  readonly validate?: boolean | undefined;
}
