import type { SarifLog, SuggestedFix, ValidationReport } from "@wye/pipeline-validator";
import type { GraphAnswer } from "../graph/graph-answer.js";

/** A text to check. */
export interface CheckRequest {
  /** Grows with each request. */
  readonly id: number;
  readonly text: string;
  readonly profile: "kfp" | "spec";
  /** Whether the problems are wanted as SARIF too, which goes before the graph. */
  readonly wantsSarif?: boolean;
}

/** What helps with a problem: what to put in its place, and where its rule is explained. */
export interface ProblemAid {
  readonly fix?: SuggestedFix | undefined;
  readonly help?: string | undefined;
}

/** What the worker found: first the problems, then the graph. */
export type CheckAnswer =
  | {
      readonly id: number;
      readonly kind: "report";
      readonly report: ValidationReport;
      /** One for each problem. */
      readonly aids: readonly ProblemAid[];
    }
  | { readonly id: number; readonly kind: "sarif"; readonly log: SarifLog }
  | { readonly id: number; readonly kind: "graph"; readonly graph: GraphAnswer };
