import type { ComponentNode, PipelineGraph, TaskNode, ValueKind } from "@wye/pipeline-spec";
import { kindOf } from "./parameter-kind.js";

/** A required input that a task does not supply. */
export interface MissingInput {
  readonly kind: ValueKind;
  readonly name: string;
  readonly task: TaskNode;
  readonly component: ComponentNode;
}

/** The required inputs that no task supplies: those without default that are neither optional nor filled otherwise. */
export function* missingInputs(graph: PipelineGraph): Generator<MissingInput> {
  const required = graph.once(requiredInputs);
  for (const task of graph.tasks) {
    const { component } = task;
    for (const { kind, name } of (component && required.get(component)) ?? []) {
      if (component !== undefined && !isSupplied(task, name, kind)) yield { kind, name, task, component };
    }
  }
}

export type RequiredInput = Pick<MissingInput, "kind" | "name">;

/** The inputs that every task has to supply, by component. */
export function requiredInputs({
  components,
}: PipelineGraph): ReadonlyMap<ComponentNode, readonly RequiredInput[]> {
  return new Map(components.map((component) => [component, requiredOf(component)]));
}

function requiredOf({ spec: { inputDefinitions } }: ComponentNode): readonly RequiredInput[] {
  const required: RequiredInput[] = [];
  for (const [name, declared] of Object.entries(inputDefinitions?.parameters ?? {})) {
    // The system fills a TASK_CONFIG.
    const isFilled = declared.defaultValue !== undefined || kindOf(declared) === "TASK_CONFIG";
    if (!declared.isOptional && !isFilled) required.push({ kind: "parameter", name });
  }
  for (const [name, { isOptional }] of Object.entries(inputDefinitions?.artifacts ?? {})) {
    if (!isOptional) required.push({ kind: "artifact", name });
  }
  return required;
}

/** True when a task supplies an input, itself or through its iterator. */
export function isSupplied(task: TaskNode, name: string, kind: ValueKind): boolean {
  return task.input(kind, name) !== undefined || task.spec.iterator?.value.itemInput === name;
}
