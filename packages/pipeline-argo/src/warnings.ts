import type { Compilation } from "./compilation.js";

/** As much as a workflow may weigh in the store of a usual cluster, less what is around the texts. */
const mostBytes = 1_400_000;

/** Tells what the back end accepts, but Argo refuses or nobody expects. */
export function addWarnings({ size, problems }: Compilation): void {
  if (size <= mostBytes) return;
  const message = `the texts of the pipeline take ${size} characters: the store of a usual cluster takes no object over 1.5 MB`;
  problems.add({ code: "too-large", path: "", message });
}
