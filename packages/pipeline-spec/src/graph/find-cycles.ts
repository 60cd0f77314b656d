import { checkArguments } from "../check-arguments.js";
/** An arrow of a graph. */
export interface Edge<N extends object> {
  readonly from: N;
  readonly to: N;
  /** Where the arrow is stated. */
  readonly at: string;
}

/**
 * The cycles of a graph: one shortest cycle for each group of nodes that reach each other, as its edges in order. Takes
 * time linear in the graph, apart from the groups, and no recursion.
 */
export function findCycles<N extends object>(
  nodes: Iterable<N>,
  edgesOf: (node: N) => readonly Edge<N>[],
): readonly (readonly Edge<N>[])[] {
  checkArguments("findCycles", "iterable", { nodes });
  checkArguments("findCycles", "function", { edgesOf });
  const cycles: (readonly Edge<N>[])[] = [];
  const listOf = (node: N): readonly Edge<N>[] => {
    const edges = edgesOf(node);
    if (!Array.isArray(edges)) checkArguments("findCycles", "list", { "list of edges": edges });
    return edges;
  };
  for (const group of stronglyConnected(nodes, listOf)) {
    const members = new Set(group);
    const cycle = shortestCycle(members, edgesOf);
    if (cycle !== undefined) cycles.push(cycle);
  }
  return cycles;
}

interface Visit<N extends object> {
  readonly node: N;
  readonly edges: readonly Edge<N>[];
  next: number;
}

/** Tarjan's algorithm with a stack of its own: groups that have more than one node or an edge to themselves. */
function stronglyConnected<N extends object>(
  nodes: Iterable<N>,
  edgesOf: (node: N) => readonly Edge<N>[],
): N[][] {
  const order = new Map<N, number>();
  const lowest = new Map<N, number>();
  const open: N[] = [];
  const isOpen = new Set<N>();
  const groups: N[][] = [];
  const enter = (node: N): Visit<N> => {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    open.push(node);
    isOpen.add(node);
    return { node, edges: edgesOf(node), next: 0 };
  };
  const lower = (node: N, to: number): void => {
    lowest.set(node, Math.min(lowest.get(node) ?? to, to));
  };
  for (const start of nodes) {
    if (order.has(start)) continue;
    const visits = [enter(start)];
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const edge = visit.edges[visit.next++];
      if (edge !== undefined) {
        if (!order.has(edge.to)) visits.push(enter(edge.to));
        else if (isOpen.has(edge.to)) lower(visit.node, order.get(edge.to) ?? 0);
        continue;
      }
      visits.pop();
      const { node } = visit;
      const parent = visits.at(-1);
      if (parent !== undefined) lower(parent.node, lowest.get(node) ?? 0);
      if (lowest.get(node) !== order.get(node)) continue;
      const group = open.splice(open.lastIndexOf(node));
      for (const member of group) isOpen.delete(member);
      if (group.length > 1 || visit.edges.some(({ to }) => to === node)) groups.push(group);
    }
  }
  return groups;
}

/** A shortest way from the first member back to itself. */
function shortestCycle<N extends object>(
  members: ReadonlySet<N>,
  edgesOf: (node: N) => readonly Edge<N>[],
): readonly Edge<N>[] | undefined {
  const [start] = members;
  if (start === undefined) return undefined;
  const reachedBy = new Map<N, Edge<N>>();
  const queue = [start];
  for (const node of queue) {
    for (const edge of edgesOf(node)) {
      if (edge.to === start) return [...trail(reachedBy, start, node), edge];
      if (!members.has(edge.to) || reachedBy.has(edge.to)) continue;
      reachedBy.set(edge.to, edge);
      queue.push(edge.to);
    }
  }
  return undefined;
}

function trail<N extends object>(reachedBy: ReadonlyMap<N, Edge<N>>, start: N, end: N): Edge<N>[] {
  const edges: Edge<N>[] = [];
  for (let node = end; node !== start; ) {
    const edge = reachedBy.get(node);
    if (edge === undefined) break;
    edges.push(edge);
    node = edge.from;
  }
  return edges.reverse();
}
