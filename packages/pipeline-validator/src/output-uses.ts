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
export interface ProducerUse {
  readonly reference: ProducerReference;
  /** The DAG in which the producer is looked for. */
  readonly dag: ComponentNode;
  /** The task that consumes it; undefined for an output of the DAG. */
  readonly consumer: TaskNode | undefined;
}

/** A place that names an output of a task. */
export interface OutputUse extends ProducerUse {
  readonly reference: OutputReference;
  readonly kind: ValueKind;
}

/** Every output that some input of a task or some output of a DAG takes. They are not kept: a large file has very many. */
export function* outputUses({ tasks, components }: PipelineGraph): Generator<OutputUse> {
  for (const consumer of tasks) {
    for (const { kind, source } of consumer.inputs) {
      if (source?.kind === "output") yield { reference: source, kind, dag: consumer.parent, consumer };
    }
  }
  for (const dag of components) {
    for (const selector of dag.selectors) {
      yield { reference: selector, kind: selector.kind, dag, consumer: undefined };
    }
  }
}

/** Every place that names a producer: those of `outputUses`, and final statuses. */
export function* producerUses(graph: PipelineGraph): Generator<ProducerUse> {
  yield* outputUses(graph);
  for (const consumer of graph.tasks) {
    for (const { source } of consumer.inputs) {
      if (source?.kind === "status") yield { reference: source, dag: consumer.parent, consumer };
    }
  }
}

/** True when the component of the producer declares the output. */
export function isDeclared({ kind, reference }: OutputUse, producer: ComponentNode): boolean {
  return (kind === "parameter" ? outputParameter : outputArtifact)(producer, reference.key) !== undefined;
}
