import {
  type FieldReader,
  flag,
  type Int64,
  idText,
  int64,
  type JsonObject,
  json,
  number,
  readMessage,
  readMessageWith,
  text,
  time,
  wordOf,
} from "./read-message.js";
import {
  type PipelineVersionReference,
  type RunSettings,
  runSettings,
  type ServerStatus,
  versionReference,
} from "./run.js";

/** Starts by the calendar: six fields, seconds first, or `@hourly` and its like. */
export interface CronSchedule {
  readonly startTime?: Date;
  readonly endTime?: Date;
  readonly cron?: string;
}

/** Starts again and again after so many seconds. */
export interface PeriodicSchedule {
  readonly startTime?: Date;
  readonly endTime?: Date;
  readonly intervalSecond?: Int64;
}

/** When a recurring run starts runs. */
export interface Trigger {
  readonly cronSchedule?: CronSchedule;
  readonly periodicSchedule?: PeriodicSchedule;
}

/** What starts runs by itself. */
export interface RecurringRun {
  readonly recurringRunId: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly pipelineVersionReference?: PipelineVersionReference;
  readonly pipelineSpec?: JsonObject;
  readonly runtimeConfig?: RunSettings;
  readonly serviceAccount?: string;
  readonly maxConcurrency?: Int64;
  readonly trigger?: Trigger;
  readonly mode?: "ENABLE" | "DISABLE" | (string & {});
  readonly status?: "ENABLED" | "DISABLED" | (string & {});
  readonly createdAt?: Date;
  readonly updatedAt?: Date;
  readonly error?: ServerStatus;
  readonly noCatchup?: boolean;
  readonly namespace?: string;
  readonly experimentId?: string;
}

const trigger: FieldReader<Trigger> = readMessage<Trigger>({
  cronSchedule: readMessage<CronSchedule>({ startTime: time, endTime: time, cron: text }),
  periodicSchedule: readMessage<PeriodicSchedule>({ startTime: time, endTime: time, intervalSecond: int64 }),
});

export const readRecurringRun: FieldReader<RecurringRun> = readMessageWith<RecurringRun, "recurringRunId">(
  {
    recurringRunId: idText,
    displayName: text,
    description: text,
    pipelineVersionReference: versionReference,
    pipelineSpec: json,
    runtimeConfig: runSettings,
    serviceAccount: text,
    maxConcurrency: int64,
    trigger,
    mode: wordOf(["ENABLE", "DISABLE"]),
    status: wordOf(["ENABLED", "", "DISABLED"]),
    createdAt: time,
    updatedAt: time,
    error: readMessage<ServerStatus>({ code: number, message: text }),
    noCatchup: flag,
    namespace: text,
    experimentId: idText,
  },
  "recurringRunId",
);
