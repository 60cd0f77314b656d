import type { ArgoTask } from "../argo-workflow.js";
import type { Compilation } from "./compilation.js";
import { compileContainerTask } from "./container-task.js";
import { compileDagTask } from "./dag-task.js";
import { compileImporterTask } from "./importer-task.js";
import type { PlacedTask } from "./placed-task.js";

/** What is made of a task that runs once, or of one item of a loop. Undefined when it is refused. */
export function compileItem(placed: PlacedTask, compilation: Compilation): ArgoTask[] | undefined {
  const { component } = placed.task;
  if (component?.spec.implementation?.$case === "dag") return compileDagTask(placed, compilation);
  const executor = component?.executor?.spec;
  if (executor?.$case === "container") return compileContainerTask(placed, executor.value, compilation);
  if (executor?.$case === "importer") return compileImporterTask(placed, executor.value, compilation);
  // The walk over the components has told why.
  return undefined;
}
