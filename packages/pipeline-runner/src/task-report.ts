import type { TaskOutputs } from "@wye/pipeline-resolver";

/** What a host says of a task; `at` is the moment, by its clock. */
export type TaskReport =
  /** An attempt has begun. */
  | { readonly state: "RUNNING"; readonly at?: number }
  /** It has made these outputs, or they were found in a cache. */
  | {
      readonly state: "SUCCEEDED";
      readonly outputs?: Partial<TaskOutputs>;
      readonly cached?: boolean;
      /** What its artifacts were like, in words of the host, which finds it in the snapshot again. */
      readonly stamp?: string;
      readonly at?: number;
    }
  /** The attempt has failed. Another follows if the retry policy has one left, unless the host knows that it is no use. */
  | {
      readonly state: "FAILED";
      readonly error: { readonly message: string; readonly code?: number };
      readonly retry?: boolean;
      readonly at?: number;
    }
  /** The host has stopped it. */
  | { readonly state: "CANCELLED"; readonly at?: number }
  /** The attempt is lost, as after a crash of the host: it does not count. */
  | { readonly state: "QUEUED"; readonly at?: number };
