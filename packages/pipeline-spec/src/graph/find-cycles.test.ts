import fc from "fast-check";
import { expect, test } from "vitest";
import { type Edge, findCycles } from "./find-cycles.js";

interface Node {
  readonly name: string;
  readonly to: Node[];
}

/** A graph from the pairs of nodes that have an arrow. */
function graphOf(count: number, arrows: readonly (readonly [number, number])[]): readonly Node[] {
  const nodes = Array.from({ length: count }, (_, at): Node => ({ name: `n${at}`, to: [] }));
  for (const [from, to] of arrows) nodes[from]?.to.push(nodes[to] as Node);
  return nodes;
}
const edgesOf = (from: Node): readonly Edge<Node>[] =>
  from.to.map((to) => ({ from, to, at: `${from.name}/${to.name}` }));

/** How many arrows lead at least from each node to each other, and back to itself; by trying all ways. */
function distances(nodes: readonly Node[]): ReadonlyMap<Node, ReadonlyMap<Node, number>> {
  return new Map(
    nodes.map((start) => {
      const found = new Map<Node, number>();
      let reached = [start];
      for (let length = 1; reached.length > 0; length++) {
        reached = [...new Set(reached.flatMap(({ to }) => to))].filter((node) => !found.has(node));
        for (const node of reached) found.set(node, length);
      }
      return [start, found];
    }),
  );
}

const arrow = fc.tuple(fc.nat(6), fc.nat(6));

test("each group of nodes that reach each other has one cycle, no longer than the way of its first back to itself", () => {
  fc.assert(
    fc.property(fc.array(arrow, { maxLength: 14 }), (arrows) => {
      const nodes = graphOf(7, arrows);
      const ways = distances(nodes);
      const groupOf = (one: Node) =>
        nodes.filter((other) => ways.get(one)?.has(other) && ways.get(other)?.has(one));
      const groups = new Set(
        nodes.map((node) =>
          groupOf(node)
            .map(({ name }) => name)
            .join(),
        ),
      );
      groups.delete("");
      const cycles = findCycles(nodes, edgesOf);
      for (const cycle of cycles) {
        const first = cycle[0]?.from ?? expect.unreachable("a cycle has an arrow");
        const next = [...cycle.slice(1).map(({ from }) => from), first];
        expect(cycle.map(({ to }) => to)).toEqual(next);
        expect(
          cycle.every(({ from, to, at }) => from.to.includes(to) && at === `${from.name}/${to.name}`),
        ).toBe(true);
        expect(cycle).toHaveLength(ways.get(first)?.get(first) ?? 0);
      }
      const found = cycles.map(([edge]) =>
        edge
          ? groupOf(edge.from)
              .map(({ name }) => name)
              .join()
          : "",
      );
      expect(found.toSorted()).toEqual([...groups].sort());
    }),
    { seed: 5, numRuns: 2000 },
  );
});
