import type { ArgoParameter } from "../argo-workflow.js";

/** A parameter of the workflow. */
export const workflowParameter = (name: string): string => `{{workflow.parameters.${name}}}`;

/** An input of the template. */
export const input = (name: string): string => `{{inputs.parameters.${name}}}`;

/** An output of a task of the template. */
export const output = (task: string, name: string): string => `{{tasks.${task}.outputs.parameters.${name}}}`;

/** Where a container writes an output of its template. */
export const outputPath = (name: string): string => `{{outputs.parameters.${name}.path}}`;

/** The expression of all these tasks having succeeded; nothing when there are none. */
export function succeeded(tasks: readonly string[]): { readonly depends?: string } {
  if (tasks.length === 0) return {};
  return { depends: tasks.map((name) => `${name}.Succeeded`).join(" && ") };
}

/** Arguments by name, in this order; those that are undefined are left out. */
export function argumentList(values: Readonly<Record<string, string | undefined>>): {
  readonly parameters: ArgoParameter[];
} {
  const parameters: ArgoParameter[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) parameters.push({ name, value });
  }
  return { parameters };
}
