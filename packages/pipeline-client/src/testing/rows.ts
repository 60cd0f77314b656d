import type { JsonObject } from "../wire/read-message.js";

/** A pipeline as the server keeps it; times are whole seconds since 1970, and 0 is "not yet". */
export interface PipelineRow {
  id: string;
  name: string;
  displayName: string;
  description: string;
  createdAt: number;
  namespace: string;
}

export interface VersionRow {
  id: string;
  pipelineId: string;
  name: string;
  displayName: string;
  description: string;
  createdAt: number;
  codeSourceUrl: string;
  packageUrl: string;
  spec: JsonObject;
}

export interface ExperimentRow {
  id: string;
  displayName: string;
  description: string;
  createdAt: number;
  namespace: string;
  storageState: string;
  lastRunCreatedAt: number;
}

export interface HistoryRow {
  readonly at: number;
  readonly state: string;
}

export interface TaskRow {
  id: string;
  /** That of the workflow engine. */
  nodeId: string;
  name: string;
  createdAt: number;
  startedAt: number;
  endedAt: number;
  state: string;
  message: string;
  history: HistoryRow[];
  children: readonly string[];
}

export interface RunRow {
  id: string;
  displayName: string;
  description: string;
  experimentId: string;
  namespace: string;
  storageState: string;
  pipelineId: string;
  versionId: string;
  /** When it was made from a specification. */
  spec: JsonObject | undefined;
  parameters: JsonObject | undefined;
  pipelineRoot: string;
  serviceAccount: string;
  createdAt: number;
  scheduledAt: number;
  finishedAt: number;
  state: string;
  /** What the workflow engine says; empty until it says something. */
  phase: string;
  message: string;
  recurringRunId: string;
  history: HistoryRow[];
  tasks: TaskRow[];
  /** What will become of it by itself, in order. */
  plan: PlannedStep[];
  /** True for one that had a plan, which may be used up: it ends by itself when somebody terminates it. */
  isPlanned?: boolean;
}

/** A step of a run that happens at a moment. */
export interface PlannedStep {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly state: string;
  readonly message?: string;
  readonly tasks?: Readonly<Record<string, string>>;
}

export interface RecurringRunRow {
  id: string;
  displayName: string;
  description: string;
  pipelineId: string;
  versionId: string;
  spec: JsonObject | undefined;
  parameters: JsonObject | undefined;
  pipelineRoot: string;
  serviceAccount: string;
  maxConcurrency: number;
  trigger: JsonObject;
  mode: string;
  createdAt: number;
  updatedAt: number;
  noCatchup: boolean;
  namespace: string;
  experimentId: string;
}
