import { checkArguments, checkOptions, describeValue } from "@wye/pipeline-spec";
/** How a task ended, in the words of the proto file. */
export type FinalState = "SUCCEEDED" | "FAILED" | "CANCELLED" | "SKIPPED" | "NOT_TRIGGERED" | "UNSCHEDULABLE";

/** What a `taskFinalStatus` input tells. */
export interface FinalStatus {
  readonly state: FinalState;
  /** The task that ended. */
  readonly taskName: string;
  /** The name of the run as a resource. */
  readonly jobResourceName: string;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Spellings of the payload. */
export interface FinalStatusOptions {
  /** Names of states: those of the proto file (by default, as in local runs), or those of the back end's metadata store. */
  readonly states?: "proto" | "back-end";
  /** Spelling of keys; the Python executor takes both. */
  readonly keys?: "lowerCamel" | "snake";
}

const backEndStates: Readonly<Record<FinalState, string>> = {
  SUCCEEDED: "COMPLETE",
  FAILED: "FAILED",
  CANCELLED: "CANCELED",
  SKIPPED: "CACHED",
  NOT_TRIGGERED: "NOT_TRIGGERED",
  UNSCHEDULABLE: "UNSCHEDULABLE",
};

/** The value of a `taskFinalStatus` input: an object, of type TASK_FINAL_STATUS or STRUCT. */
export function finalStatusPayload(
  status: FinalStatus,
  options: FinalStatusOptions = {},
): { readonly [key: string]: unknown } {
  checkOptions("finalStatusPayload", options, {
    states: ["proto", "back-end"],
    keys: ["lowerCamel", "snake"],
  });
  checkArguments("finalStatusPayload", "object", { status });
  const { state, taskName, jobResourceName, error } = status;
  if (!Object.hasOwn(backEndStates, state)) {
    const known = Object.keys(backEndStates).join(", ");
    throw new TypeError(`finalStatusPayload takes one of ${known} as its state, not ${describeValue(state)}`);
  }
  const { states = "proto", keys = "lowerCamel" } = options;
  const name = states === "proto" ? state : backEndStates[state];
  const failure = error ? { code: error.code, message: error.message } : {};
  return keys === "lowerCamel"
    ? { state: name, error: failure, pipelineJobResourceName: jobResourceName, pipelineTaskName: taskName }
    : {
        state: name,
        error: failure,
        pipeline_job_resource_name: jobResourceName,
        pipeline_task_name: taskName,
      };
}
