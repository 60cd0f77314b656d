import type { Problem } from "@wye/pipeline-spec";
import { visibleText } from "./visible-text.js";

/**
 * What a run can refuse: `pipeline` (the specification is wrong), `parameters` (the values that it is started with are), `task`
 * (there is no such task), `state` (the task or the run is not where the report says), `report` (a report cannot be read),
 * `snapshot` (it is none, or not of this pipeline), `folder` (the files of the run cannot be written).
 */
export type PipelineRunErrorCode =
  | "pipeline"
  | "parameters"
  | "task"
  | "state"
  | "report"
  | "snapshot"
  | "folder";

/** The error that this package throws. */
export class PipelineRunError extends Error {
  override readonly name = "PipelineRunError";
  readonly code: PipelineRunErrorCode;
  /** What is wrong with the pipeline or with its parameters, one by one. */
  readonly problems: readonly Problem<string>[];

  constructor(code: PipelineRunErrorCode, message: string, problems: readonly Problem<string>[] = []) {
    const lines = problems.slice(0, 10).map(({ path, message: text }) => `  ${path}: ${text}`);
    // Names come from files of strangers, and messages go to terminals.
    super([...message.split("\n"), ...lines].map(visibleText).join("\n"));
    this.code = code;
    this.problems = problems;
  }
}
