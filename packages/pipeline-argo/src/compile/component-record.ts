import type { ComponentSpec, ExecutorSpec } from "@wye/pipeline-spec";

/** A component, and what runs it. */
export interface ComponentRecord {
  readonly name: string;
  readonly spec: ComponentSpec;
  /** Label of its executor; empty when it is a DAG, or nothing. */
  readonly label: string;
  /** What runs it, when it is no DAG and the label is known. */
  readonly executor: ExecutorSpec | undefined;
  /** What stands for it in the names of parameters: equal containers share theirs. */
  readonly key: string;
}
