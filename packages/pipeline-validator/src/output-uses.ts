import { ownEntry } from "./own-entry.js";
import {
  type ComponentNode,
  outputArtifact,
  outputParameter,
  type PipelineIndex,
  type TaskNode,
} from "./pipeline-index.js";
import { pointer } from "./pointer.js";

/** A place that names a task which produces something. */
export interface ProducerUse {
  /** Name of the producer. */
  readonly producer: string;
  /** Where that name stands. */
  readonly producerAt: string;
  /** The DAG in which the producer is looked for. */
  readonly dag: ComponentNode;
  /** The task that consumes it; undefined for an output of the DAG. */
  readonly consumer: TaskNode | undefined;
}

/** A place that names an output of a task. */
export interface OutputUse extends ProducerUse {
  readonly kind: "parameter" | "artifact";
  /** Name of the output. */
  readonly key: string;
  readonly keyAt: string;
  /** The component of the producer, when that exists. */
  readonly component: ComponentNode | undefined;
  /** True when that component declares the output. */
  readonly declared: boolean;
}

/** Every output that some input of a task or some output of a DAG takes. */
export function outputUses(index: PipelineIndex): readonly OutputUse[] {
  const uses: OutputUse[] = [];
  for (const task of index.tasks) addTaskInputs(task, uses);
  for (const component of index.components) addDagOutputs(component, uses);
  return uses;
}

/** Every place that names a producer: those of `outputUses`, and final statuses. */
export function producerUses(index: PipelineIndex): readonly ProducerUse[] {
  const uses: ProducerUse[] = [...index.once(outputUses)];
  for (const task of index.tasks) {
    const parameters = task.spec.inputs?.parameters ?? {};
    for (const name of Object.keys(parameters)) {
      const kind = ownEntry(parameters, name)?.kind;
      if (kind?.$case !== "taskFinalStatus") continue;
      const producerAt = `${pointer(`${task.path}/inputs/parameters`, name)}/taskFinalStatus/producerTask`;
      uses.push({ producer: kind.value.producerTask, producerAt, dag: task.parent, consumer: task });
    }
  }
  return uses;
}

function addTaskInputs(task: TaskNode, uses: OutputUse[]): void {
  const { parameters = {}, artifacts = {} } = task.spec.inputs ?? {};
  for (const name of Object.keys(parameters)) {
    const kind = ownEntry(parameters, name)?.kind;
    if (kind?.$case !== "taskOutputParameter") continue;
    const { producerTask: producer, outputParameterKey: key } = kind.value;
    const at = `${pointer(`${task.path}/inputs/parameters`, name)}/taskOutputParameter`;
    uses.push(outputUse("parameter", task.parent, task, { producer, key, at }));
  }
  for (const name of Object.keys(artifacts)) {
    const kind = ownEntry(artifacts, name)?.kind;
    if (kind?.$case !== "taskOutputArtifact") continue;
    const { producerTask: producer, outputArtifactKey: key } = kind.value;
    const at = `${pointer(`${task.path}/inputs/artifacts`, name)}/taskOutputArtifact`;
    uses.push(outputUse("artifact", task.parent, task, { producer, key, at }));
  }
}

function addDagOutputs(dag: ComponentNode, uses: OutputUse[]): void {
  for (const selector of dagOutputSelectors(dag))
    uses.push(outputUse(selector.kind, dag, undefined, selector));
}

/** One entry of what a DAG gives as one of its outputs. */
export interface DagOutputSelector {
  readonly kind: "parameter" | "artifact";
  /** The output of the DAG. */
  readonly output: string;
  readonly producer: string;
  readonly key: string;
  readonly at: string;
}

/** Everything that the outputs of a DAG are made of. */
export function* dagOutputSelectors(dag: ComponentNode): Generator<DagOutputSelector> {
  const implementation = dag.spec.implementation;
  if (implementation?.$case !== "dag") return;
  const { parameters = {}, artifacts = {} } = implementation.value.outputs ?? {};
  for (const [output, { kind }] of Object.entries(parameters)) {
    const base = pointer(`${dag.path}/dag/outputs/parameters`, output);
    if (kind?.$case === "valueFromParameter") {
      const { producerSubtask: producer, outputParameterKey: key } = kind.value;
      yield { kind: "parameter", output, producer, key, at: `${base}/valueFromParameter` };
    } else if (kind?.$case === "valueFromOneof") {
      for (const [position, selector] of kind.value.parameterSelectors.entries()) {
        const { producerSubtask: producer, outputParameterKey: key } = selector;
        const at = `${base}/valueFromOneof/parameterSelectors/${position}`;
        yield { kind: "parameter", output, producer, key, at };
      }
    }
  }
  for (const [output, { artifactSelectors }] of Object.entries(artifacts)) {
    const base = pointer(`${dag.path}/dag/outputs/artifacts`, output);
    for (const [position, selector] of artifactSelectors.entries()) {
      const { producerSubtask: producer, outputArtifactKey: key } = selector;
      yield { kind: "artifact", output, producer, key, at: `${base}/artifactSelectors/${position}` };
    }
  }
}

function outputUse(
  kind: OutputUse["kind"],
  dag: ComponentNode,
  consumer: TaskNode | undefined,
  { producer, key, at }: Pick<DagOutputSelector, "producer" | "key" | "at">,
): OutputUse {
  const component = dag.tasks?.get(producer)?.component;
  const find = kind === "parameter" ? outputParameter : outputArtifact;
  const declared = component !== undefined && find(component, key) !== undefined;
  const producerAt = `${at}/${consumer === undefined ? "producerSubtask" : "producerTask"}`;
  const keyAt = `${at}/${kind === "parameter" ? "outputParameterKey" : "outputArtifactKey"}`;
  return { kind, dag, consumer, producer, key, component, declared, producerAt, keyAt };
}
