import { type FinalState, finalStatusPayload, type RunFacts, type TaskScope } from "@wye/pipeline-resolver";
import type { Execution } from "./execution.js";
import { isFinal, type TaskState } from "./task-state.js";

/** What the inputs of a task are resolved from: those of the DAG around it, what its siblings have made, and how they ended. */
export function taskScope({ view }: Execution, { view: around, dag }: Execution, facts: RunFacts): TaskScope {
  const { parameters = {}, artifacts = {} } = around.inputs ?? {};
  return {
    parameters,
    artifacts,
    outputs: dag?.outputs ?? new Map(),
    // Few tasks ask.
    get facts() {
      return { ...facts, pipeline_task_name: view.name, pipeline_task_uuid: view.id };
    },
    finalStatus: (producer) => {
      const ended = dag?.tasks.get(producer)?.view;
      if (ended === undefined || !isFinal(ended.state)) return undefined;
      const { message, code = 1 } = ended.error ?? { message: "" };
      return finalStatusPayload({
        state: finalState(ended.state),
        taskName: producer,
        jobResourceName: facts.pipeline_job_resource_name ?? "",
        ...(ended.error ? { error: { code, message } } : {}),
      });
    },
  };
}

/** What tasks and triggers are told of how a task ended. */
export function finalState(state: TaskState): FinalState {
  return state === "SUCCEEDED" || state === "FAILED" || state === "CANCELLED" ? state : "NOT_TRIGGERED";
}
