import {
  type ComponentNode,
  type ExecutorNode,
  isObject,
  type PipelineGraph,
  sortedMembers,
  writeJson,
} from "@wye/pipeline-spec";
import { containerOutline } from "./container-outline.js";

/** A component whose container another one has as well, which the back end comes to first. */
export interface SharedContainer {
  readonly component: ComponentNode;
  readonly first: ComponentNode;
}

/**
 * Components of equal containers that differ in their inputs or outputs. The back end keeps what it knows of a component under a
 * hash of its container, so that the first that it comes to stands for all of them.
 */
export function sharedContainers(graph: PipelineGraph): readonly SharedContainer[] {
  const { root, executors } = graph;
  if (root === undefined || !executors.some(mayBeShared())) return [];
  // Many components may have one executor, and all be compared with one other: each is written once.
  const containerOf = once(containerText);
  const interfaceOf = once(interfaceText);
  const firsts = new Map<string, ComponentNode>();
  const found: SharedContainer[] = [];
  for (const component of visited(root)) {
    const key = component.executor && containerOf(component.executor);
    if (key === undefined) continue;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, component);
    else if (interfaceOf(component) !== interfaceOf(first)) found.push({ component, first });
  }
  return found;
}

/** Tells of one executor after the other whether it runs several components, or may be equal to one before: only then is more compared. */
function mayBeShared(): (executor: ExecutorNode) => boolean {
  const outlines = new Set<string>();
  return ({ components, spec }) => {
    if (spec.spec?.$case !== "container") return false;
    const outline = containerOutline(spec.spec.value);
    const isKnown = outlines.has(outline);
    outlines.add(outline);
    return isKnown || components.length > 1;
  };
}

/** The components with executors in the order in which the back end comes to them: by the names of tasks, DAGs at once. */
function* visited(root: ComponentNode): Generator<ComponentNode> {
  const seen = new Set<ComponentNode>();
  const open = [root];
  for (let component = open.pop(); component !== undefined; component = open.pop()) {
    if (seen.has(component)) continue;
    seen.add(component);
    if (component.tasks === undefined) {
      yield component;
      continue;
    }
    const names = [...component.tasks.keys()].sort().reverse();
    for (const name of names) {
      const next = component.tasks.get(name)?.component;
      if (next !== undefined && !seen.has(next)) open.push(next);
    }
  }
}

function once<Node extends object, Text>(write: (node: Node) => Text): (node: Node) => Text {
  const written = new Map<Node, Text>();
  return (node) => {
    if (!written.has(node)) written.set(node, write(node));
    // It has just been put there.
    return written.get(node) as Text;
  };
}

/** The same text for equal containers; undefined for other executors. */
function containerText({ spec: { spec } }: ExecutorNode): string | undefined {
  return spec?.$case === "container"
    ? JSON.stringify(writeJson("PipelineContainerSpec", spec.value))
    : undefined;
}

/** The same text for components with equal inputs and outputs. */
function interfaceText({ spec }: ComponentNode): string {
  return `${definitionsText(spec.inputDefinitions)} ${definitionsText(spec.outputDefinitions)}`;
}

const nothing = { artifacts: {}, parameters: {} };

/** Inputs or outputs as a text, without what is only said of them, and in one order. */
function definitionsText(definitions: object = nothing): string {
  return JSON.stringify(definitions, (key, value: unknown) => {
    if (key === "description" && typeof value === "string") return undefined;
    return isObject(value) ? sortedMembers(value) : value;
  });
}
