import type { ExperimentRow, PipelineRow, RecurringRunRow, RunRow, VersionRow } from "./rows.js";
import type { RunPlan } from "./run-plan.js";

/** What a fake server holds. */
export interface FakeStore {
  readonly pipelines: Map<string, PipelineRow>;
  readonly versions: Map<string, VersionRow>;
  readonly experiments: Map<string, ExperimentRow>;
  readonly runs: Map<string, RunRow>;
  readonly recurringRuns: Map<string, RecurringRunRow>;
  /** The experiment of runs that name none, where there is one user. */
  defaultExperimentId: string;
  readonly isMultiUser: boolean;
  readonly plan: RunPlan;
  /** Milliseconds since 1970. */
  now(): number;
  /** Whole seconds since 1970. */
  seconds(): number;
  newId(): string;
  /** What is at an address, for pipelines that the server fetches. */
  fetchFile(url: string): Promise<Uint8Array>;
}
