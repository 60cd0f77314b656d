import { type Compilation, rootName } from "./compilation.js";
import type { PlacedTask } from "./placed-task.js";

/** What of a component a task refers to. */
type ComponentPart = "components" | "implementations";

/**
 * The reference to the component of a task. The back end compiles components before the tasks that run them; where that is
 * not possible, it gives up.
 */
export function componentReference(
  { task, context }: PlacedTask,
  part: ComponentPart,
  compilation: Compilation,
): string | undefined {
  const { name = "", key = "" } = task.component ?? {};
  const parameter = `${part}-${key}`;
  const reference = compilation.reference(parameter);
  // What is wrong with a component has been told where it was found.
  if (reference !== undefined || compilation.refusedComponents.has(name)) return reference;
  const quoted = JSON.stringify(name);
  const message =
    name === rootName
      ? `the component ${quoted} has the name that the back end gives to the root`
      : `the component ${quoted} contains this task, through at least one other component`;
  compilation.problems.add({
    code: "component-not-ready",
    path: `${task.path}/componentRef/name`,
    message,
    backEnd: `${context}using component spec: failed to find workflow parameter ${JSON.stringify(parameter)}`,
  });
  return undefined;
}
