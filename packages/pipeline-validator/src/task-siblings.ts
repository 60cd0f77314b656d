import type { ComponentNode, PipelineGraph, TaskNode } from "@wye/pipeline-spec";
import { commonCases } from "./common-case.js";
import { conditionsByTask } from "./expression-uses.js";

/** DAGs inside of each other that are looked at: far more than people nest. */
const mostLevels = 30;

/** The task that runs the DAG around a task; undefined at the root, and where several run it. */
export function runnerOf({ uses }: ComponentNode): TaskNode | undefined {
  return uses.length === 1 ? uses[0] : undefined;
}

/** Two tasks of one DAG in which two others run, or which they are. */
export interface Siblings {
  readonly one: TaskNode;
  readonly other: TaskNode;
  /** The task asked for first and those around it, up to `one`; and the same of the second. */
  readonly ways: readonly [readonly TaskNode[], readonly TaskNode[]];
}

/** Where two tasks are seen from one DAG, the innermost around both; undefined when there is none, or they are one task. */
export function siblings(one: TaskNode, other: TaskNode): Siblings | undefined {
  const first = wayUp(one);
  const second = wayUp(other);
  const levels = new Map(first.map((task, level) => [task.parent, level]));
  for (const [level, task] of second.entries()) {
    const own = levels.get(task.parent);
    const around = own === undefined ? undefined : first[own];
    if (own === undefined || around === undefined) continue;
    if (around === task) return undefined;
    return { one: around, other: task, ways: [first.slice(0, own + 1), second.slice(0, level + 1)] };
  }
  return undefined;
}

/** A task, the task that runs its DAG, and so on. */
function wayUp(task: TaskNode): readonly TaskNode[] {
  const way = [task];
  for (let next = runnerOf(task.parent); next !== undefined; next = runnerOf(next.parent)) {
    if (way.length === mostLevels) break;
    way.push(next);
  }
  return way;
}

/** False when the conditions of both exclude each other, and when that cannot be told. */
export function mayBothRun({ one, other, ways }: Siblings, index: PipelineGraph): boolean {
  const conditions = index.once(conditionsByTask);
  const [first, second] = ways.map((way) => way.filter((task) => conditions.has(task)));
  if (first?.length === 0 || second?.length === 0) return true;
  if (first?.length !== 1 || second?.length !== 1) return false;
  const [own, its] = [conditions.get(one), conditions.get(other)];
  if (own === undefined || its === undefined) return false;
  return index.once(commonCases).find(own, its)?.values !== undefined;
}
