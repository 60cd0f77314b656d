/**
 * How deep the references of each node lead, itself included. All members of a circle count for each of them: no path
 * that visits a node only once is longer than this says. Works without recursion (Tarjan's algorithm with a stack of its
 * own), because what it guards against is too deep for recursion. Nodes that are not there have no depth.
 */
export function nestingDepths(references: readonly (readonly number[] | undefined)[]): readonly number[] {
  const size = references.length;
  const depths: number[] = new Array(size).fill(0);
  const order: number[] = new Array(size).fill(0);
  const lowest: number[] = new Array(size).fill(0);
  const cursors: number[] = new Array(size).fill(0);
  const open: number[] = [];
  const path: number[] = [];
  let visited = 0;

  const enter = (node: number): void => {
    visited++;
    order[node] = visited;
    lowest[node] = visited;
    open.push(node);
    path.push(node);
  };
  const lower = (node: number, to: number): void => {
    lowest[node] = Math.min(lowest[node] ?? 0, to);
  };
  const leave = (node: number): void => {
    path.pop();
    const parent = path.at(-1);
    if (parent !== undefined) lower(parent, lowest[node] ?? 0);
    if (lowest[node] !== order[node]) return;
    // Nothing from this node on leads back before it: they make a circle, or it stands alone.
    const circle = open.splice(open.lastIndexOf(node));
    let below = 0;
    for (const one of circle)
      for (const other of references[one] ?? []) below = Math.max(below, depths[other] ?? 0);
    for (const one of circle) depths[one] = circle.length + below;
  };

  for (let root = 0; root < size; root++) {
    if (order[root] !== 0 || references[root] === undefined) continue;
    enter(root);
    for (let node = root; ; node = path.at(-1) ?? root) {
      const cursor = cursors[node] ?? 0;
      const next = references[node]?.[cursor];
      cursors[node] = cursor + 1;
      if (next === undefined) {
        leave(node);
        if (path.length === 0) break;
      } else if (references[next] === undefined) continue;
      else if (order[next] === 0) enter(next);
      else if (depths[next] === 0) lower(node, order[next] ?? 0);
    }
  }
  return depths;
}
