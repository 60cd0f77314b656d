import {
  type ComponentNode,
  type OutputReference,
  outputArtifact,
  outputParameter,
  type PipelineGraph,
  type ProducerReference,
  type TaskNode,
  type ValueKind,
} from "@wye/pipeline-spec";

/** A place that names a task which produces something. */
export interface ProducerUse extends ProducerReference {
  /** The DAG in which the producer is looked for. */
  readonly dag: ComponentNode;
  /** The task that consumes it; undefined for an output of the DAG. */
  readonly consumer: TaskNode | undefined;
}

/** A place that names an output of a task. */
export interface OutputUse extends ProducerUse, OutputReference {
  readonly kind: ValueKind;
}

/** Every output that some input of a task or some output of a DAG takes. */
export function outputUses({ tasks, components }: PipelineGraph): readonly OutputUse[] {
  const uses: OutputUse[] = [];
  for (const consumer of tasks) {
    for (const { kind, source } of consumer.inputs) {
      if (source?.kind === "output") uses.push({ ...source, kind, dag: consumer.parent, consumer });
    }
  }
  for (const dag of components) {
    for (const selector of dag.selectors) uses.push({ ...selector, dag, consumer: undefined });
  }
  return uses;
}

/** Every place that names a producer: those of `outputUses`, and final statuses. */
export function producerUses(graph: PipelineGraph): readonly ProducerUse[] {
  const uses: ProducerUse[] = [...graph.once(outputUses)];
  for (const consumer of graph.tasks) {
    for (const { source } of consumer.inputs) {
      if (source?.kind === "status") uses.push({ ...source, dag: consumer.parent, consumer });
    }
  }
  return uses;
}

/** True when the component of the producer declares the output. */
export function isDeclared({ kind, key }: OutputUse, producer: ComponentNode): boolean {
  return (kind === "parameter" ? outputParameter : outputArtifact)(producer, key) !== undefined;
}
