import { type ComponentNode, type DependencyKind, pointer, type TaskNode } from "@wye/pipeline-spec";

/** That something comes after something else in the same graph. */
export interface Arrow {
  /** Id of the task that comes first. */
  readonly from: string;
  /** Id of what comes after it: a task, or the outputs of the graph. */
  readonly to: string;
  /** Why: of several reasons the strongest. */
  readonly kind: DependencyKind;
  /** The outputs that are handed on. */
  readonly labels: readonly string[];
}

/** What leaves a graph. */
export interface DagOutputs {
  readonly id: string;
  readonly names: readonly string[];
}

/** The arrows between the tasks of one graph, and to its outputs; at most one from one to another. */
export function arrowsOf({ tasks, selectors }: ComponentNode, dagId: string): readonly Arrow[] {
  const arrows = new Arrows(dagId);
  for (const task of tasks?.values() ?? []) {
    const to = taskId(dagId, task.name);
    for (const { source } of task.inputs) {
      if (source?.kind === "output") arrows.add(source.task, to, "data", source.key);
    }
    for (const { kind, to: before } of task.dependencies) arrows.add(before, to, kind);
  }
  for (const { task, key } of selectors) arrows.add(task, outputsId(dagId), "data", key);
  return arrows.list();
}

/** The names of what leaves a graph. */
export function outputsOf({ spec }: ComponentNode, dagId: string): DagOutputs | undefined {
  const outputs = spec.implementation?.$case === "dag" ? spec.implementation.value.outputs : undefined;
  const names = [...Object.keys(outputs?.parameters ?? {}), ...Object.keys(outputs?.artifacts ?? {})];
  return names.length === 0 ? undefined : { id: outputsId(dagId), names };
}

/** Arrows by where they start and end: the strongest reason stands for all. */
class Arrows {
  private readonly dagId: string;
  private readonly found = new Map<
    string,
    { from: string; to: string; kind: DependencyKind; labels: Set<string> }
  >();

  constructor(dagId: string) {
    this.dagId = dagId;
  }

  add(producer: TaskNode | undefined, to: string, kind: DependencyKind, label?: string): void {
    // A name that is none of the graph is a problem of its own, and has no box.
    if (producer === undefined) return;
    const from = taskId(this.dagId, producer.name);
    const key = JSON.stringify([from, to]);
    const arrow = this.found.get(key) ?? { from, to, kind, labels: new Set() };
    if (strength[kind] > strength[arrow.kind]) arrow.kind = kind;
    if (label !== undefined && label !== "") arrow.labels.add(label);
    this.found.set(key, arrow);
  }

  list(): readonly Arrow[] {
    return [...this.found.values()].map((arrow) => ({ ...arrow, labels: [...arrow.labels] }));
  }
}

const strength: Readonly<Record<DependencyKind, number>> = { order: 0, platform: 1, status: 2, data: 3 };

const taskId = (dagId: string, name: string): string => pointer(dagId, name);

/** No task has such an id: a tilde is always followed by 0 or 1 in those. */
function outputsId(dagId: string): string {
  return `${dagId}/~outputs`;
}
