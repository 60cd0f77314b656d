import type { ArgoTask } from "../argo-workflow.js";
import { dagDriverName } from "../templates/driver-template.js";
import { argumentList, input, output, succeeded } from "../templates/references.js";
import type { Compilation } from "./compilation.js";
import { compileItem } from "./compile-item.js";
import { componentReference } from "./component-reference.js";
import { useDagDriver } from "./dag-task.js";
import { condition, type PlacedTask } from "./placed-task.js";

const driver = "iteration-driver";

/**
 * One task, and two templates: one that counts the items and runs the other for each of them. What a loop is hung on or runs
 * after is not passed on, as in the back end.
 */
export function compileLoop(placed: PlacedTask, compilation: Compilation): ArgoTask[] | undefined {
  const { task, name } = placed;
  const context = `${placed.context}iterator task: `;
  const inside = { ...placed, context: `${context}iterationItem task: ` };
  const component = componentReference(inside, "components", compilation);
  if (component === undefined) return undefined;
  useDagDriver(task.path, compilation);
  const iteration = addIteration(inside, compilation);
  if (iteration === undefined) return undefined;
  const limit = task.spec.iteratorPolicy?.parallelismLimit ?? 0;
  const tasks = loopTasks(placed, component, iteration, compilation.counted(task.text));
  const loop = {
    name: `${task.component?.name}-${task.name}-iterator`,
    inputs: { parameters: [{ name: "parent-dag-id" }] },
    outputs: {},
    metadata: {},
    dag: { tasks },
    ...(limit > 0 ? { parallelism: limit } : {}),
  };
  const origins = tasks.map((one) => ({ name: one.name, path: task.path }));
  if (!compilation.addTemplate(loop, { role: "loop", from: task.path, tasks: origins }, context))
    return undefined;
  const values = { "parent-dag-id": input("parent-dag-id") };
  const depends = succeeded(task.spec.dependentTasks);
  return [{ name, template: loop.name, arguments: argumentList(values), ...depends }];
}

/** Adds the template that runs for one item, and gives its name. */
function addIteration(placed: PlacedTask, compilation: Compilation): string | undefined {
  const { task, context } = placed;
  const item = "iteration-item";
  const tasks = compileItem(
    {
      task,
      name: item,
      context: `${context}compiling task "${item}": `,
      iterationIndex: input("iteration-index"),
    },
    compilation,
  );
  if (tasks === undefined) return undefined;
  const name = `${task.component?.name}-iteration`;
  const template = {
    name,
    inputs: { parameters: [{ name: "parent-dag-id" }, { name: "iteration-index" }] },
    outputs: {},
    metadata: {},
    dag: { tasks },
  };
  const origins = tasks.map((one) => ({ name: one.name, path: task.path }));
  return compilation.addTemplate(template, { role: "iteration", from: task.path, tasks: origins }, context)
    ? name
    : undefined;
}

function loopTasks(placed: PlacedTask, component: string, iteration: string, text: string): ArgoTask[] {
  const driven = {
    component,
    "parent-dag-id": input("parent-dag-id"),
    task: text,
    "task-name": placed.task.name,
  };
  const values = { "parent-dag-id": output(driver, "execution-id"), "iteration-index": "{{item}}" };
  return [
    { name: driver, template: dagDriverName, arguments: argumentList(driven) },
    {
      name: "iteration-iterations",
      template: iteration,
      arguments: argumentList(values),
      ...succeeded([driver]),
      ...condition(placed, output(driver, "condition")),
      withSequence: { count: output(driver, "iteration-count") },
    },
  ];
}
