import type { PipelineGraph, TaskNode } from "@wye/pipeline-spec";
/** A task that runs once per item. */
export interface Iteration {
  readonly task: TaskNode;
  readonly kind: "parameter" | "artifact";
  readonly path: string;
  readonly itemInput: string;
  /** Name of the input with the items. */
  readonly itemsInput: string | undefined;
  /** Items as JSON text. */
  readonly raw: string | undefined;
}

/** All tasks that run once per item. */
export function iterations({ tasks }: PipelineGraph): readonly Iteration[] {
  const found: Iteration[] = [];
  for (const task of tasks) {
    const { iterator } = task.spec;
    if (iterator === undefined) continue;
    const path = `${task.path}/${iterator.$case}`;
    const { itemInput } = iterator.value;
    if (iterator.$case === "artifactIterator") {
      const itemsInput = iterator.value.items?.inputArtifact;
      found.push({ task, kind: "artifact", path, itemInput, itemsInput, raw: undefined });
    } else {
      const items = iterator.value.items?.kind;
      const itemsInput = items?.$case === "inputParameter" ? items.value : undefined;
      const raw = items?.$case === "raw" ? items.value : undefined;
      found.push({ task, kind: "parameter", path, itemInput, itemsInput, raw });
    }
  }
  return found;
}
