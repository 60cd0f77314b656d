import type { Problem } from "@wye/pipeline-spec";
import type { ArgoProblemCode } from "./problem-table.js";

/** Why a pipeline cannot be compiled, or what a reader of the workflow would not expect. */
export interface ArgoProblem extends Problem<ArgoProblemCode> {
  /** What the back end says to it, where its words are always the same: for searching in its logs. */
  readonly backEnd?: string;
}
