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
  readonly order: number;
  /** The first in order that is reached from here, as far as that is known. */
  lowest: number;
  next: number;
}

/** Tarjan's algorithm with a stack of its own: groups that have more than one node or an edge to themselves. */
function stronglyConnected<N extends object>(
  nodes: Iterable<N>,
  edgesOf: (node: N) => readonly Edge<N>[],
): N[][] {
  // What is closed is in no group that is still to be found.
  const visits = new Map<N, Visit<N> | "closed">();
  const open: Visit<N>[] = [];
  const groups: N[][] = [];
  const enter = (node: N): Visit<N> => {
    const order = visits.size;
    const visit = { node, edges: edgesOf(node), order, lowest: order, next: 0 };
    visits.set(node, visit);
    open.push(visit);
    return visit;
  };
  for (const start of nodes) {
    if (visits.has(start)) continue;
    const way = [enter(start)];
    for (let visit = way.at(-1); visit !== undefined; visit = way.at(-1)) {
      const edge = visit.edges[visit.next++];
      if (edge !== undefined) {
        const met = visits.get(edge.to);
        if (met === undefined) way.push(enter(edge.to));
        else if (met !== "closed") visit.lowest = Math.min(visit.lowest, met.order);
        continue;
      }
      way.pop();
      const before = way.at(-1);
      if (before !== undefined) before.lowest = Math.min(before.lowest, visit.lowest);
      if (visit.lowest !== visit.order) continue;
      const group = open.splice(open.lastIndexOf(visit));
      for (const member of group) visits.set(member.node, "closed");
      const { node } = visit;
      if (group.length > 1 || visit.edges.some(({ to }) => to === node))
        groups.push(group.map((member) => member.node));
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
