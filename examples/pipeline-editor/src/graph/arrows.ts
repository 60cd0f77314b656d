import type { DagOutputsSpec, PipelineTaskSpec } from "@wye/pipeline-spec";

/** Why one task comes after another: it takes what the other made, or how it ended, or it only waits. */
export type ArrowKind = "data" | "status" | "order";

/** That something comes after something else in the same graph. */
export interface Arrow {
  /** Id of the task that comes first. */
  readonly from: string;
  /** Id of what comes after it: a task, or the outputs of the graph. */
  readonly to: string;
  readonly kind: ArrowKind;
  /** The outputs that are handed on. */
  readonly labels: readonly string[];
}

/** What leaves a graph. */
export interface DagOutputs {
  readonly id: string;
  readonly names: readonly string[];
}

/** The arrows between the tasks of one graph, and to its outputs; at most one from one to another. */
export function arrowsOf(
  tasks: { readonly [name: string]: PipelineTaskSpec },
  outputs: DagOutputsSpec | undefined,
  dagId: string,
): readonly Arrow[] {
  const arrows = new Arrows(new Set(Object.keys(tasks)), dagId);
  for (const [name, task] of Object.entries(tasks)) {
    const to = taskId(dagId, name);
    for (const input of Object.values(task.inputs?.parameters ?? {})) {
      const { kind } = input;
      if (kind?.$case === "taskOutputParameter")
        arrows.add(kind.value.producerTask, to, "data", kind.value.outputParameterKey);
      else if (kind?.$case === "taskFinalStatus") arrows.add(kind.value.producerTask, to, "status");
    }
    for (const { kind } of Object.values(task.inputs?.artifacts ?? {})) {
      if (kind?.$case === "taskOutputArtifact")
        arrows.add(kind.value.producerTask, to, "data", kind.value.outputArtifactKey);
    }
    for (const before of task.dependentTasks) arrows.add(before, to, "order");
  }
  const leaving = outputsId(dagId);
  for (const [producer, output] of producersOf(outputs)) arrows.add(producer, leaving, "data", output);
  return arrows.list();
}

/** The names of what leaves a graph. */
export function outputsOf(outputs: DagOutputsSpec | undefined, dagId: string): DagOutputs | undefined {
  const names = [...Object.keys(outputs?.parameters ?? {}), ...Object.keys(outputs?.artifacts ?? {})];
  return names.length === 0 ? undefined : { id: outputsId(dagId), names };
}

function* producersOf(outputs: DagOutputsSpec | undefined): Generator<readonly [string, string]> {
  for (const { kind } of Object.values(outputs?.parameters ?? {})) {
    const selectors =
      kind?.$case === "valueFromParameter" ? [kind.value] : (kind?.value.parameterSelectors ?? []);
    for (const one of selectors) yield [one.producerSubtask, one.outputParameterKey];
  }
  for (const { artifactSelectors } of Object.values(outputs?.artifacts ?? {})) {
    for (const one of artifactSelectors) yield [one.producerSubtask, one.outputArtifactKey];
  }
}

/** Arrows by where they start and end: the strongest reason stands for all. */
class Arrows {
  private readonly names: ReadonlySet<string>;
  private readonly dagId: string;
  private readonly found = new Map<
    string,
    { from: string; to: string; kind: ArrowKind; labels: Set<string> }
  >();

  constructor(names: ReadonlySet<string>, dagId: string) {
    this.names = names;
    this.dagId = dagId;
  }

  add(producer: string, to: string, kind: ArrowKind, label?: string): void {
    // A name that is none of the graph is a problem of its own, and has no box.
    if (!this.names.has(producer)) return;
    const from = taskId(this.dagId, producer);
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

const strength: Readonly<Record<ArrowKind, number>> = { order: 0, status: 1, data: 2 };

function taskId(dagId: string, name: string): string {
  return `${dagId}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** No task has such an id: a tilde is always followed by 0 or 1 in those. */
function outputsId(dagId: string): string {
  return `${dagId}/~outputs`;
}
