import { describeValue, didYouMean, isObject, jsonProblem } from "@wye/pipeline-spec";
import type { Execution } from "./execution.js";
import { PipelineRunError } from "./run-error.js";
import type { TaskReport } from "./task-report.js";
import { isFinal, type TaskState } from "./task-state.js";

/** From which states a report leads to another. */
const before: Readonly<Record<TaskReport["state"], readonly TaskState[]>> = {
  RUNNING: ["QUEUED"],
  SUCCEEDED: ["QUEUED", "RUNNING"],
  FAILED: ["QUEUED", "RUNNING"],
  CANCELLED: ["RUNNING"],
  QUEUED: ["RUNNING"],
};

/** Refuses a report that cannot be: nothing has changed when it throws. */
export function checkReport({ view, component }: Execution, report: TaskReport): void {
  const wrong = (message: string) => new PipelineRunError("report", `the report on ${view.id}: ${message}`);
  if (!isObject(report)) throw wrong(`it is an object with a state, not ${describeValue(report)}`);
  const { state, at } = report;
  const allowed = Object.hasOwn(before, state) ? before[state] : undefined;
  if (allowed === undefined) {
    throw wrong(`its state is one of ${Object.keys(before).join(", ")}, not ${describeValue(state)}`);
  }
  if (view.kind === "dag" || view.kind === "loop") {
    const message = `${view.id} is a ${view.kind}: it ends by itself when its tasks have ended`;
    throw new PipelineRunError("state", message);
  }
  if (!allowed.includes(view.state)) {
    const why = isFinal(view.state) ? "nothing can follow" : `only ${allowed.join(" or ")} leads to ${state}`;
    throw new PipelineRunError("state", `${view.id} is ${view.state}: ${why}`);
  }
  if (at !== undefined && !Number.isFinite(at)) throw wrong("`at` is a moment in milliseconds");
  if (report.state === "FAILED") {
    const { message, code = 0 } = report.error ?? {};
    if (typeof message !== "string") throw wrong("a failure has an error with a message");
    if (!Number.isFinite(code)) throw wrong(`the code of an error is a number, not ${describeValue(code)}`);
  }
  if (report.state === "SUCCEEDED" && report.stamp !== undefined && typeof report.stamp !== "string")
    throw wrong(`its stamp is a text, not ${describeValue(report.stamp)}`);
  if (report.state !== "SUCCEEDED" || report.outputs === undefined) return;
  if (!isObject(report.outputs)) {
    throw wrong(`its outputs are an object, not ${describeValue(report.outputs)}`);
  }
  const { parameters, artifacts } = component.spec.outputDefinitions ?? { parameters: {}, artifacts: {} };
  const problem =
    outputProblem("parameter", report.outputs.parameters, parameters) ??
    outputProblem("artifact", report.outputs.artifacts, artifacts);
  if (problem !== undefined) throw wrong(problem);
}

/** Outputs that the component does not declare would be lost, and values that are no JSON would not survive a snapshot. */
function outputProblem(
  kind: string,
  given: unknown,
  declared: { readonly [name: string]: unknown },
): string | undefined {
  if (given === undefined) return undefined;
  if (!isObject(given)) return `the ${kind}s among its outputs are an object, not ${describeValue(given)}`;
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(declared, name)) {
      const near = didYouMean(name, Object.keys(declared));
      const help = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
      return `the component declares no output ${kind} ${JSON.stringify(name)}${help}`;
    }
    const problem = jsonProblem(value);
    if (problem !== undefined) return `the output ${kind} ${JSON.stringify(name)} is no JSON: ${problem}`;
    if (kind === "artifact" && !isArtifactList(value)) {
      return `the output artifact ${JSON.stringify(name)} is a list: { artifacts: [ … ] }, each with a uri`;
    }
  }
  return undefined;
}

/** Whether a value is a list of artifacts as messages have it. */
export function isArtifactList(value: unknown): boolean {
  if (!isObject(value) || !Array.isArray(value.artifacts)) return false;
  return value.artifacts.every((one: unknown) => isObject(one) && typeof one.uri === "string");
}
