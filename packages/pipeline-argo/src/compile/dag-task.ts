import type { ArgoTask } from "../argo-workflow.js";
import { dagDriver, dagDriverName } from "../templates/driver-template.js";
import { argumentList, input, output, succeeded } from "../templates/references.js";
import type { Compilation } from "./compilation.js";
import { componentReference } from "./component-reference.js";
import { condition, dependenciesOf, exitHook, type PlacedTask } from "./placed-task.js";

/** Two tasks: the driver of a DAG, and the DAG with what the driver has found out. */
export function compileDagTask(placed: PlacedTask, compilation: Compilation): ArgoTask[] | undefined {
  const { task, name, iterationIndex } = placed;
  const component = componentReference(placed, "components", compilation);
  if (component === undefined) return undefined;
  useDagDriver(task.path, compilation);
  const driver = `${name}-driver`;
  const found = output(driver, "condition");
  return [
    {
      name: driver,
      template: dagDriverName,
      arguments: argumentList({
        component,
        "iteration-index": iterationIndex,
        "parent-dag-id": input("parent-dag-id"),
        task: compilation.counted(task.text),
        "task-name": task.name,
      }),
      ...succeeded(dependenciesOf(placed)),
    },
    {
      name,
      template: task.component?.name ?? "",
      // The template declares no condition: the back end gives it one all the same.
      arguments: argumentList({ "parent-dag-id": output(driver, "execution-id"), condition: found }),
      ...succeeded([driver]),
      ...condition(placed, found),
      ...exitHook(placed, input("parent-dag-id")),
    },
  ];
}

/** Makes sure of the template that drives DAGs, for the task or component at a place. */
export function useDagDriver(path: string, compilation: Compilation): void {
  const { pipelineName, settings } = compilation;
  compilation.useSystemTemplate(dagDriverName, () => dagDriver(pipelineName, settings), {
    role: "driver",
    path,
  });
}
