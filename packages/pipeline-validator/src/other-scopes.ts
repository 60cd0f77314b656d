import { type ComponentNode, describeComponent, type PipelineGraph, type TaskNode } from "@wye/pipeline-spec";
import { bareName } from "./name-families.js";
import { quote } from "./quote.js";

/** The first task of each name, wherever it stands. */
const tasksByName = ({ tasks }: PipelineGraph): ReadonlyMap<string, TaskNode> =>
  new Map([...tasks].reverse().map((task) => [task.name, task]));

/** The items of all loops, by their names without what the compiler puts before them. */
const loopItems = ({ tasks }: PipelineGraph): ReadonlySet<string> =>
  new Set(tasks.flatMap(({ spec: { iterator } }) => (iterator ? [bareName(iterator.value.itemInput)] : [])));

/** What to do about a task that stands in another DAG than the one that it is looked for in. */
export function taskElsewhere(name: string, index: PipelineGraph): string | undefined {
  const parent = index.once(tasksByName).get(name)?.parent;
  if (parent === undefined) return undefined;
  const [runner] = parent.uses;
  const where = `it is a task of ${describeComponent(parent)}`;
  return runner === undefined
    ? where
    : `${where}, whose outputs are those of the task that runs it, such as ${quote(runner.name)}`;
}

/** What to do about an input of the pipeline that is looked for in a component. */
export function inputElsewhere(
  kind: "parameter" | "artifact",
  name: string,
  { name: component }: ComponentNode,
  { spec: { root } }: PipelineGraph,
): string | undefined {
  const isOfRoot = Object.hasOwn(root?.inputDefinitions?.[`${kind}s`] ?? {}, name);
  if (component === undefined || !isOfRoot) return undefined;
  return "the root has it: declare it here as well, and hand it down from task to task";
}

/**
 * What to do about an item of a loop, or a field of one, that is looked for where it is not: the compiler of the SDK writes that where
 * the item stands in a text or in a setting inside of another group.
 */
export function lostItem(name: string, index: PipelineGraph): string | undefined {
  const item = bareName(name).replace(/-subvar-.*$/, "");
  if (!item.includes("loop-item") || !index.once(loopItems).has(item)) return undefined;
  return "the compiler of the SDK loses items of loops in f-strings and settings: hand the item to a component as an argument of its own";
}
