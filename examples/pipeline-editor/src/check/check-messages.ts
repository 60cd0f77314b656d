import type { ValidationReport } from "@wye/pipeline-validator";
import type { GraphAnswer } from "../graph/graph-answer.js";

/** A text to check. */
export interface CheckRequest {
  /** Grows with each request. */
  readonly id: number;
  readonly text: string;
  readonly profile: "kfp" | "spec";
}

/** What the worker found: first the problems, then the graph. */
export type CheckAnswer =
  | { readonly id: number; readonly kind: "report"; readonly report: ValidationReport }
  | { readonly id: number; readonly kind: "graph"; readonly graph: GraphAnswer };
