import type { ArgoWorkflow } from "./argo-workflow.js";
import type { Compilation } from "./compile/compilation.js";

/** As much as an object may weigh in the store of a usual cluster. */
const mostBytes = 1_500_000;

/** Tells when a workflow is larger than a usual cluster takes. */
export function warnOfSize(workflow: ArgoWorkflow, { problems }: Compilation): void {
  const size = sizeOf(workflow);
  if (size <= mostBytes) return;
  const message = `the workflow weighs about ${(size / 1e6).toFixed(1)} MB, and the store of a usual cluster takes 1.5 MB`;
  problems.add({ code: "too-large", path: "", message });
}

/** About as many bytes as a value takes in JSON: exact but for what is escaped and what is not ASCII. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 4;
  let size = 2;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item) + 1;
  else for (const name in value) size += name.length + 4 + sizeOf(value[name as keyof typeof value]);
  return size;
}
