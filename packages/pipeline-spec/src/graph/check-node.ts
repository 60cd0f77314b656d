import { checkArguments } from "../check-arguments.js";
import { describeValue, isObject } from "../json-value.js";

/** Refuses what is no task or component of a graph, such as their messages. */
export function checkNode(caller: string, what: "component" | "task", node: unknown): void {
  if (isObject(node) && isObject(node.spec)) return;
  throw new TypeError(`${caller} takes a ${what} of what buildGraph gives, not ${describeValue(node)}`);
}

/** Refuses what is no graph. */
export function checkGraph(caller: string, graph: unknown): void {
  checkArguments(caller, "object", { graph });
  if (isObject(graph)) checkArguments(caller, "list", { "graph.tasks": graph.tasks });
}
