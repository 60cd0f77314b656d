import { type ComponentNode, ownEntry, type PipelineGraph, type TaskNode } from "@wye/pipeline-spec";
import { kindOf } from "./parameter-kind.js";

/** A required input that a task does not supply. */
export interface MissingInput {
  readonly kind: "parameter" | "artifact";
  readonly name: string;
  readonly task: TaskNode;
  readonly component: ComponentNode;
}

/** The required inputs that no task supplies: those without default that are neither optional nor filled otherwise. */
export function missingInputs({ tasks }: PipelineGraph): readonly MissingInput[] {
  const missing: MissingInput[] = [];
  for (const task of tasks) {
    const { component } = task;
    if (component === undefined) continue;
    const { parameters = {}, artifacts = {} } = component.spec.inputDefinitions ?? {};
    for (const name of Object.keys(parameters)) {
      const declared = ownEntry(parameters, name);
      if (declared === undefined || declared.isOptional || declared.defaultValue !== undefined) continue;
      // The system fills a TASK_CONFIG.
      if (isSupplied(task, name, "parameters") || kindOf(declared) === "TASK_CONFIG") continue;
      missing.push({ kind: "parameter", name, task, component });
    }
    for (const name of Object.keys(artifacts)) {
      if (ownEntry(artifacts, name)?.isOptional !== false || isSupplied(task, name, "artifacts")) continue;
      missing.push({ kind: "artifact", name, task, component });
    }
  }
  return missing;
}

/** True when a task supplies an input, itself or through its iterator. */
export function isSupplied({ spec }: TaskNode, name: string, kind: "parameters" | "artifacts"): boolean {
  return Object.hasOwn(spec.inputs?.[kind] ?? {}, name) || spec.iterator?.value.itemInput === name;
}
