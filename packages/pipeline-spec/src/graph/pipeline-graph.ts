import type {
  ComponentSpec,
  ExecutorSpec,
  InputArtifactSpec,
  InputParameterSpec,
  PipelineDeploymentConfig,
  PipelineSpec,
  PipelineTaskSpec,
  PlatformSpec,
} from "../gen/ml_pipelines/pipeline_spec.js";
import type { ExecutorSettings } from "./executor-settings.js";
import type { Edge } from "./find-cycles.js";

/** Parameters and artifacts have names of their own: one of each may be called the same. */
export type ValueKind = "parameter" | "artifact";

/**
 * A pipeline as a graph: every component, task and executor once, with what belongs to it at hand. What is not there, such
 * as a component that a task names, is `undefined`; names that lead nowhere are kept, so that they can be reported.
 */
export interface PipelineGraph {
  readonly spec: PipelineSpec;
  readonly deployment: PipelineDeploymentConfig;
  readonly platform: PlatformSpec | undefined;
  readonly root: ComponentNode | undefined;
  /** The root, if any, and all named components. */
  readonly components: readonly ComponentNode[];
  readonly tasks: readonly TaskNode[];
  readonly executors: readonly ExecutorNode[];
  component(name: string): ComponentNode | undefined;
  executor(label: string): ExecutorNode | undefined;
  /** The task at a JSON pointer such as `/root/dag/tasks/train`. */
  task(path: string): TaskNode | undefined;
  /** What `compute` gives for this graph, computed once. */
  once<T>(compute: (graph: PipelineGraph) => T): T;
}

/** A component, or the root. */
export interface ComponentNode {
  /** Key in `components`; undefined for the root. */
  readonly name: string | undefined;
  readonly path: string;
  readonly spec: ComponentSpec;
  /** Tasks of its DAG; undefined when it is not one. They see each other and the inputs of this component, nothing else. */
  readonly tasks: ReadonlyMap<string, TaskNode> | undefined;
  /** What runs it, when it is not a DAG and the label is known. */
  readonly executor: ExecutorNode | undefined;
  /** Tasks that run it. */
  readonly uses: readonly TaskNode[];
  /** What its DAG gives as its outputs. */
  readonly selectors: readonly OutputSelector[];
  /** What its DAG gives as one of its outputs; several when it is the first of them that has a value. */
  selectorsOf(kind: ValueKind, output: string): readonly OutputSelector[];
}

/** A task of a DAG. */
export interface TaskNode {
  readonly name: string;
  readonly path: string;
  readonly spec: PipelineTaskSpec;
  /** The component whose DAG it is in. */
  readonly parent: ComponentNode;
  /** What it runs, when that exists. */
  readonly component: ComponentNode | undefined;
  /** The inputs that it supplies; an item of its iterator is not among them. */
  readonly inputs: readonly TaskInput[];
  /** The input of that kind and name, if the task supplies it. */
  input<K extends ValueKind>(kind: K, name: string): Extract<TaskInput, { readonly kind: K }> | undefined;
  /**
   * What the settings of its executor on the platform take from the pipeline, seen from this task: all of it, unless there
   * are more than 1,000,000 such pairs of a setting and a task.
   */
  readonly platformInputs: readonly PlatformInput[];
  /** What has to end before it starts. A task that is named twice is here twice, each time with the place that says so. */
  readonly dependencies: readonly Dependency[];
  /** The dependencies of other tasks on this one. */
  readonly dependents: readonly Dependency[];
}

/** An executor of the deployment. */
export interface ExecutorNode {
  readonly label: string;
  readonly path: string;
  readonly spec: ExecutorSpec;
  /** Components that name it. */
  readonly components: readonly ComponentNode[];
  /** Its settings on Kubernetes, if there are any. */
  readonly settings: ExecutorSettings | undefined;
  /** How many of the values that its settings take from the pipeline are not among the `platformInputs` of its tasks. */
  readonly unseenSettings: number;
}

/** A value that the settings of an executor take from the pipeline. */
export interface PlatformInput {
  /** JSON pointer, beginning with `/platforms`. */
  readonly at: string;
  /** Undefined when it says nothing. */
  readonly source: InputSource | undefined;
}

/** An input that a task supplies, and what it takes for it. */
export type TaskInput = ParameterInput | ArtifactInput;

interface InputBase {
  readonly task: TaskNode;
  readonly name: string;
  readonly at: string;
  /** Undefined when the input says nothing. */
  readonly source: InputSource | undefined;
}

/** An input parameter that a task supplies. */
export interface ParameterInput extends InputBase {
  readonly kind: "parameter";
  readonly spec: InputParameterSpec;
}

/** An input artifact that a task supplies. */
export interface ArtifactInput extends InputBase {
  readonly kind: "artifact";
  readonly spec: InputArtifactSpec;
}

/** What an input takes. */
export type InputSource = ConstantSource | ParentInputSource | OutputSource | StatusSource;

/** A value that stands in the specification. */
export interface ConstantSource {
  readonly kind: "constant";
  readonly at: string;
  readonly value: unknown;
}

/** An input of the component around the task. */
export interface ParentInputSource {
  readonly kind: "input";
  /** The place that names it. */
  readonly at: string;
  readonly name: string;
}

/** An output of another task of the same DAG. */
export interface OutputSource extends OutputReference {
  readonly kind: "output";
}

/** How another task of the same DAG ended. */
export interface StatusSource extends ProducerReference {
  readonly kind: "status";
}

/** A place that names a task of the same DAG. */
export interface ProducerReference {
  readonly at: string;
  readonly producer: string;
  readonly producerAt: string;
  /** The task of that name, when there is one. */
  readonly task: TaskNode | undefined;
}

/** A place that names an output of a task of the same DAG. */
export interface OutputReference extends ProducerReference {
  /** Name of the output. */
  readonly key: string;
  readonly keyAt: string;
}

/** One entry of what a DAG gives as one of its outputs; an output with several entries is the first that has a value. */
export interface OutputSelector extends OutputReference {
  readonly kind: ValueKind;
  /** The output of the DAG. */
  readonly output: string;
}

/**
 * Why a task comes after another: it is listed in `dependentTasks`, an input takes an output of it, an input takes how it
 * ended, or a setting on the platform takes an output of it. The open-source back end waits for the first two only: the
 * others need one of those beside them.
 */
export type DependencyKind = "order" | "data" | "status" | "platform";

/** That one task waits for another: `from` starts after `to` has ended. */
export interface Dependency extends Edge<TaskNode> {
  readonly kind: DependencyKind;
}
