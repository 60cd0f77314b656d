import type { ArgoTask } from "../argo-workflow.js";
import type { Compilation } from "./compilation.js";
import { compileItem } from "./compile-item.js";
import { compileLoop } from "./loop-task.js";
import type { PlacedTask } from "./placed-task.js";

/** What of a template is made of a task: two tasks for most, a driver and what it prepares. Undefined when it is refused. */
export function compileTask(placed: PlacedTask, compilation: Compilation): ArgoTask[] | undefined {
  const inside = { ...placed, context: `${placed.context}compiling task ${JSON.stringify(placed.name)}: ` };
  return placed.task.spec.iterator === undefined
    ? compileItem(inside, compilation)
    : compileLoop(inside, compilation);
}
