import {
  type FieldReader,
  idText,
  type JsonObject,
  json,
  readMessageWith,
  text,
  texts,
  time,
} from "./read-message.js";

/** A pipeline that a server has: a name with versions. */
export interface UploadedPipeline {
  readonly pipelineId: string;
  /** Unique in its namespace. */
  readonly name?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly createdAt?: Date;
  /** Where it is; none when it is shared, or when the server has one user. */
  readonly namespace?: string;
  /** From 2.17 on. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** One version of a pipeline, with its specification. */
export interface PipelineVersion {
  readonly pipelineId: string;
  readonly pipelineVersionId: string;
  /** Unique in its pipeline. */
  readonly name?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly createdAt?: Date;
  readonly codeSourceUrl?: string;
  /** The specification as JSON, or `{ pipeline_spec, platform_spec }`: `parsePipeline` of `@wye/pipeline-spec` reads both as text. */
  readonly pipelineSpec?: JsonObject;
  /** From 2.17 on. */
  readonly tags?: Readonly<Record<string, string>>;
}

export const readPipeline: FieldReader<UploadedPipeline> = readMessageWith<UploadedPipeline, "pipelineId">(
  {
    pipelineId: idText,
    name: text,
    displayName: text,
    description: text,
    createdAt: time,
    namespace: text,
    tags: texts,
  },
  "pipelineId",
);

export const readVersion: FieldReader<PipelineVersion> = readMessageWith<
  PipelineVersion,
  "pipelineId" | "pipelineVersionId"
>(
  {
    pipelineId: idText,
    pipelineVersionId: idText,
    name: text,
    displayName: text,
    description: text,
    createdAt: time,
    codeSourceUrl: text,
    pipelineSpec: json,
    tags: texts,
  },
  "pipelineId",
  "pipelineVersionId",
);
