import { type StorageState, storageState } from "./experiment.js";
import {
  type FieldReader,
  idText,
  type JsonObject,
  json,
  listOf,
  mapOf,
  number,
  readMessage,
  readMessageWith,
  text,
  time,
  wordOf,
} from "./read-message.js";

/** Where a run or a task is. A newer server may have other words: whatever is not final has not ended. */
export type RuntimeState =
  | "PENDING"
  | "RUNNING"
  | "SUCCEEDED"
  | "SKIPPED"
  | "FAILED"
  | "CANCELING"
  | "CANCELED"
  | "PAUSED"
  | (string & {});

/** What went wrong, as the server says. */
export interface ServerStatus {
  readonly code?: number;
  readonly message?: string;
}

/** When a run or a task came to a state. */
export interface StateChange {
  readonly updateTime?: Date;
  readonly state?: RuntimeState;
  readonly error?: ServerStatus;
}

/** Which version of which pipeline. */
export interface PipelineVersionReference {
  readonly pipelineId?: string;
  readonly pipelineVersionId?: string;
}

/** What a run was started with. */
export interface RunSettings {
  readonly parameters?: JsonObject;
  readonly pipelineRoot?: string;
}

/** Ids of artifacts, by the name of an input or output. */
export type ArtifactIds = Readonly<Record<string, { readonly artifactIds?: readonly string[] }>>;

/** The outputs of a task that are text, by name; and a node that a task has led to. */
export interface ChildTask {
  readonly taskId?: string;
  readonly podName?: string;
}

/**
 * A step of a run. Servers up to 2.18 list the nodes of the workflow engine and not the tasks of the specification, without inputs, outputs
 * and reasons.
 */
export interface RunTaskDetail {
  readonly runId?: string;
  readonly taskId?: string;
  readonly displayName?: string;
  readonly createTime?: Date;
  readonly startTime?: Date;
  readonly endTime?: Date;
  readonly executorDetail?: JsonObject;
  readonly state?: RuntimeState;
  readonly executionId?: string;
  readonly error?: ServerStatus;
  readonly inputs?: ArtifactIds;
  readonly outputs?: ArtifactIds;
  readonly parentTaskId?: string;
  readonly stateHistory?: readonly StateChange[];
  readonly podName?: string;
  readonly childTasks?: readonly ChildTask[];
}

/** What is known of the steps of a run. */
export interface RunDetails {
  readonly pipelineContextId?: string;
  readonly pipelineRunContextId?: string;
  readonly taskDetails?: readonly RunTaskDetail[];
}

/** A run of a pipeline on a server. */
export interface Run {
  readonly runId: string;
  /** Not unique. */
  readonly displayName?: string;
  readonly experimentId?: string;
  readonly description?: string;
  readonly storageState?: StorageState;
  readonly pipelineVersionReference?: PipelineVersionReference;
  /** When the run was made from a specification: the specification, or `{ pipeline_spec, platform_spec }`. */
  readonly pipelineSpec?: JsonObject;
  readonly runtimeConfig?: RunSettings;
  readonly serviceAccount?: string;
  readonly createdAt?: Date;
  readonly scheduledAt?: Date;
  /** None until it has ended. */
  readonly finishedAt?: Date;
  readonly state?: RuntimeState;
  readonly error?: ServerStatus;
  readonly runDetails?: RunDetails;
  readonly recurringRunId?: string;
  /** Starts anew when a run is retried. */
  readonly stateHistory?: readonly StateChange[];
  /** From 2.17 on. */
  readonly pluginsInput?: JsonObject;
  readonly pluginsOutput?: JsonObject;
}

const status: FieldReader<ServerStatus> = readMessage<ServerStatus>({ code: number, message: text });

const state = wordOf([
  "PENDING",
  "RUNNING",
  "SUCCEEDED",
  "SKIPPED",
  "FAILED",
  "CANCELING",
  "CANCELED",
  "PAUSED",
]);

/** Old servers write states in small letters, or begin them with a capital. */
const stateName: FieldReader<RuntimeState> = (value) => state(value)?.toUpperCase();

const stateChange: FieldReader<StateChange> = readMessage<StateChange>({
  updateTime: time,
  state: stateName,
  error: status,
});

const artifactIds: FieldReader<ArtifactIds> = mapOf(
  readMessage<{ artifactIds?: readonly string[] }>({ artifactIds: listOf(idText) }),
);

const taskDetail: FieldReader<RunTaskDetail> = readMessage<RunTaskDetail>({
  runId: idText,
  taskId: idText,
  displayName: text,
  createTime: time,
  startTime: time,
  endTime: time,
  executorDetail: json,
  state: stateName,
  executionId: idText,
  error: status,
  inputs: artifactIds,
  outputs: artifactIds,
  parentTaskId: idText,
  stateHistory: listOf(stateChange),
  podName: text,
  childTasks: listOf(readMessage<ChildTask>({ taskId: idText, podName: text })),
});

export const versionReference: FieldReader<PipelineVersionReference> = readMessage<PipelineVersionReference>({
  pipelineId: idText,
  pipelineVersionId: idText,
});

export const runSettings: FieldReader<RunSettings> = readMessage<RunSettings>({
  parameters: json,
  pipelineRoot: text,
});

export const readRun: FieldReader<Run> = readMessageWith<Run, "runId">(
  {
    runId: idText,
    displayName: text,
    experimentId: idText,
    description: text,
    storageState,
    pipelineVersionReference: versionReference,
    pipelineSpec: json,
    runtimeConfig: runSettings,
    serviceAccount: text,
    createdAt: time,
    scheduledAt: time,
    finishedAt: time,
    state: stateName,
    error: status,
    runDetails: readMessage<RunDetails>({
      pipelineContextId: idText,
      pipelineRunContextId: idText,
      taskDetails: listOf(taskDetail),
    }),
    recurringRunId: idText,
    stateHistory: listOf(stateChange),
    pluginsInput: json,
    pluginsOutput: json,
  },
  "runId",
);
