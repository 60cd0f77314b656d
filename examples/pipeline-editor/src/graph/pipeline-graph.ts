import {
  buildGraph,
  type ComponentNode,
  isExitTask,
  type Pipeline,
  pointer,
  type TaskNode,
} from "@wye/pipeline-spec";
import { type Arrow, arrowsOf, type DagOutputs, outputsOf } from "./arrows.js";
import { describeLoop, type Loop } from "./loop.js";
import { type CountedProblem, ProblemCounter, type ProblemCounts } from "./problem-counter.js";

/** What a task does, as far as the specification tells. */
export type TaskKind = "container" | "importer" | "resolver" | "custom job" | "dag" | "unknown";

/** One use of a task: a task of a component that two tasks run is there twice. */
export interface GraphTask {
  /** The names of the tasks that lead to it, as a JSON pointer: unique in a graph. */
  readonly id: string;
  readonly name: string;
  /** Name of its component; empty when it names none. */
  readonly component: string;
  readonly kind: TaskKind;
  /** The expression that decides whether it runs. */
  readonly condition: string | undefined;
  /** Whether it waits for its upstream tasks to end, however they end, as exit handlers do. */
  readonly runsAnyway: boolean;
  readonly loop: Loop | undefined;
  readonly retries: number;
  /** The problems in it, in what it runs, and in everything inside. */
  readonly problems: ProblemCounts;
  /** Where it is defined, as JSON pointers: the task, its component, its executor. */
  readonly places: readonly string[];
  /** The graph that it runs. */
  readonly inside: GraphDag | undefined;
}

/** Tasks that see each other. */
export interface GraphDag {
  readonly tasks: readonly GraphTask[];
  readonly arrows: readonly Arrow[];
  /** What leaves it, when anything does. */
  readonly outputs: DagOutputs | undefined;
}

/** A pipeline as a graph, or why there is none. */
export type PipelineGraph =
  | { readonly ok: true; readonly name: string; readonly tasks: number; readonly root: GraphDag }
  | { readonly ok: false; readonly reason: string };

/** How far a graph is followed; beyond that it is refused, as no one could read it. */
export interface GraphLimits {
  /** Tasks with everything that is nested: 600 by default. */
  readonly maxTasks?: number;
  /** Graphs inside of each other: 30 by default. */
  readonly maxDepth?: number;
}

/** The graph of a pipeline, also of one with mistakes: what is not there is left out. */
export function graphOf(
  pipeline: Pipeline,
  problems: readonly CountedProblem[],
  limits: GraphLimits = {},
): PipelineGraph {
  const { maxTasks = 600, maxDepth = 30 } = limits;
  const { spec, root: start } = buildGraph(pipeline);
  const walk = new Walk(new ProblemCounter(problems, pipeline), maxTasks, maxDepth);
  const root = start && walk.dag(start, "", []);
  if (walk.refusal !== undefined) return { ok: false, reason: walk.refusal };
  if (root === undefined || root.tasks.length === 0) return { ok: false, reason: "There are no tasks yet." };
  return { ok: true, name: spec.pipelineInfo?.name ?? "", tasks: walk.tasks, root };
}

class Walk {
  tasks = 0;
  refusal: string | undefined;
  private readonly counter: ProblemCounter;
  private readonly maxTasks: number;
  private readonly maxDepth: number;

  constructor(counter: ProblemCounter, maxTasks: number, maxDepth: number) {
    this.counter = counter;
    this.maxTasks = maxTasks;
    this.maxDepth = maxDepth;
  }

  /** @param above  the components that this graph is inside of, to notice one that contains itself */
  dag(component: ComponentNode, id: string, above: readonly ComponentNode[]): GraphDag | undefined {
    if (component.tasks === undefined || this.refusal !== undefined) return undefined;
    if (above.length > this.maxDepth) {
      this.refusal = `Graphs are nested more than ${this.maxDepth} deep: too much to draw.`;
      return undefined;
    }
    const drawn: GraphTask[] = [];
    for (const task of component.tasks.values()) {
      if (++this.tasks > this.maxTasks) {
        this.refusal = `There are more than ${this.maxTasks.toLocaleString("en")} tasks: too many to draw.`;
        return undefined;
      }
      drawn.push(this.task(task, pointer(id, task.name), above));
    }
    return { tasks: drawn, arrows: arrowsOf(component, id), outputs: outputsOf(component, id) };
  }

  private task(node: TaskNode, id: string, above: readonly ComponentNode[]): GraphTask {
    const { name, spec, component } = node;
    const isRecursive = component !== undefined && above.includes(component);
    const inside =
      component === undefined || isRecursive ? undefined : this.dag(component, id, [...above, component]);
    const places = [node.path];
    if (component !== undefined) places.push(component.path);
    if (component?.executor !== undefined) places.push(component.executor.path);
    return {
      ...{ id, name, component: spec.componentRef?.name ?? "", places, inside },
      kind: kindOf(component),
      condition: spec.triggerPolicy?.condition || undefined,
      runsAnyway: isExitTask(node),
      loop: describeLoop(node),
      retries: spec.retryPolicy?.maxRetryCount ?? 0,
      problems: this.counter.count(id, places, inside?.tasks ?? []),
    };
  }
}

function kindOf(component: ComponentNode | undefined): TaskKind {
  if (component?.tasks !== undefined) return "dag";
  const kind = component?.executor?.spec.spec?.$case;
  return kind === "customJob" ? "custom job" : (kind ?? "unknown");
}
