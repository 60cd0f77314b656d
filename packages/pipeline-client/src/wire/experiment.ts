import { type FieldReader, idText, readMessageWith, text, time, wordOf } from "./read-message.js";

/** Whether something is put away. A newer server may have other words. */
export type StorageState = "AVAILABLE" | "ARCHIVED" | (string & {});

export const storageState: FieldReader<StorageState> = wordOf(["AVAILABLE", "ARCHIVED"]);

/** A group of runs. */
export interface Experiment {
  readonly experimentId: string;
  /** Unique in its namespace; capitals count. */
  readonly displayName?: string;
  readonly description?: string;
  readonly createdAt?: Date;
  readonly namespace?: string;
  readonly storageState?: StorageState;
  /** None until there is a run. */
  readonly lastRunCreatedAt?: Date;
}

export const readExperiment: FieldReader<Experiment> = readMessageWith<Experiment, "experimentId">(
  {
    experimentId: idText,
    displayName: text,
    description: text,
    createdAt: time,
    namespace: text,
    storageState,
    lastRunCreatedAt: time,
  },
  "experimentId",
);
