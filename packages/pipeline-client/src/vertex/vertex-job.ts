import {
  type FieldReader,
  idText,
  type JsonObject,
  json,
  listOf,
  number,
  readMessage,
  readMessageWith,
  text,
  texts,
  time,
  wordOf,
} from "../wire/read-message.js";

/** Where a job is. Vertex AI may get other words: whatever is not final has not ended. */
export type VertexJobState =
  | "QUEUED"
  | "PENDING"
  | "RUNNING"
  | "SUCCEEDED"
  | "FAILED"
  | "CANCELLING"
  | "CANCELLED"
  | "PAUSED"
  | (string & {});

/** What went wrong. */
export interface VertexError {
  readonly code?: number;
  readonly message?: string;
}

/** A task of a job. */
export interface VertexTask {
  readonly taskId?: string;
  readonly taskName?: string;
  readonly parentTaskId?: string;
  /** Such as `RUNNING`, `SKIPPED` or `NOT_TRIGGERED`. */
  readonly state?: string;
  readonly createTime?: Date;
  readonly startTime?: Date;
  readonly endTime?: Date;
  readonly error?: VertexError;
  /** Whole artifacts, as JSON. */
  readonly inputs?: JsonObject;
  readonly outputs?: JsonObject;
  readonly execution?: JsonObject;
  readonly executorDetail?: JsonObject;
}

/** What is known of the tasks of a job; lists do not have it. */
export interface VertexJobDetail {
  readonly taskDetails?: readonly VertexTask[];
}

/** A pipeline job of Vertex AI. */
export interface VertexJob {
  /** `projects/{project}/locations/{location}/pipelineJobs/{id}`. */
  readonly name: string;
  readonly displayName?: string;
  readonly state?: VertexJobState;
  readonly createTime?: Date;
  readonly startTime?: Date;
  readonly endTime?: Date;
  readonly updateTime?: Date;
  readonly error?: VertexError;
  readonly labels?: Readonly<Record<string, string>>;
  readonly jobDetail?: VertexJobDetail;
  readonly runtimeConfig?: JsonObject;
  readonly pipelineSpec?: JsonObject;
  readonly serviceAccount?: string;
  readonly network?: string;
  readonly templateUri?: string;
}

const jobState = wordOf([
  "QUEUED",
  "PENDING",
  "RUNNING",
  "SUCCEEDED",
  "FAILED",
  "CANCELLING",
  "CANCELLED",
  "PAUSED",
]);

/** A state without the words that all of them begin with. */
const state: FieldReader<string> = (value) => jobState(value)?.replace(/^PIPELINE_STATE_/, "");

const taskState = wordOf([
  "PENDING",
  "RUNNING",
  "SUCCEEDED",
  "CANCEL_PENDING",
  "CANCELLING",
  "CANCELLED",
  "FAILED",
  "SKIPPED",
  "NOT_TRIGGERED",
]);

const error: FieldReader<VertexError> = readMessage<VertexError>({ code: number, message: text });

const task: FieldReader<VertexTask> = readMessage<VertexTask>({
  taskId: idText,
  taskName: text,
  parentTaskId: idText,
  state: taskState,
  createTime: time,
  startTime: time,
  endTime: time,
  error,
  inputs: json,
  outputs: json,
  execution: json,
  executorDetail: json,
});

export const readVertexJob: FieldReader<VertexJob> = readMessageWith<VertexJob, "name">(
  {
    name: text,
    displayName: text,
    state,
    createTime: time,
    startTime: time,
    endTime: time,
    updateTime: time,
    error,
    labels: texts,
    jobDetail: readMessage<VertexJobDetail>({ taskDetails: listOf(task) }),
    runtimeConfig: json,
    pipelineSpec: json,
    serviceAccount: text,
    network: text,
    templateUri: text,
  },
  "name",
);

/** Whether nothing follows, as Google's own client sees it: a job that is paused has ended as well. */
export function isFinalJobState(state: VertexJobState | undefined): boolean {
  return /^(SUCCEEDED|FAILED|CANCELLED|PAUSED)$/.test(state ?? "");
}
