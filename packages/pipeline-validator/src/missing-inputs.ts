import type { ComponentNode, PipelineGraph, TaskNode, ValueKind } from "@wye/pipeline-spec";
import { comparisons } from "./comparisons.js";
import { kindOf } from "./parameter-kind.js";
import { nearest } from "./suggest.js";

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
    if (component === undefined) continue;
    const missing = (required.get(component) ?? []).filter(({ kind, name }) => !isSupplied(task, name, kind));
    const item = missing.length === 0 ? undefined : meantItem(task, component, missing);
    for (const input of missing) if (input !== item) yield { ...input, task, component };
  }
}

/** The missing input that an iterator means to fill whose item has a name that the component does not declare, which is told there. */
function meantItem(
  { spec: { iterator } }: TaskNode,
  { spec: { inputDefinitions } }: ComponentNode,
  missing: readonly RequiredInput[],
): RequiredInput | undefined {
  const name = iterator?.value.itemInput ?? "";
  const kind = iterator?.$case === "artifactIterator" ? "artifact" : "parameter";
  if (name === "" || Object.hasOwn(inputDefinitions?.[`${kind}s`] ?? {}, name)) return undefined;
  const open = missing.filter((input) => input.kind === kind);
  const names = open.map((input) => input.name);
  const near = open.length === 1 ? names[0] : nearest(name, names, comparisons(names.length));
  return open.find((input) => input.name === near);
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
