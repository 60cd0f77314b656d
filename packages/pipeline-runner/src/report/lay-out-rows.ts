/** How much room something takes. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Something with its place: the upper left corner. */
export interface Placed extends Size {
  readonly x: number;
  readonly y: number;
}

/** What is given a place, and what it comes after, by their numbers. */
export interface LayoutNode extends Size {
  readonly after: readonly number[];
}

/** Where everything is, in the order in which it was given. */
export interface Layout extends Size {
  readonly places: readonly Placed[];
}

const gap = { x: 20, y: 36 } as const;
/** A row that would be wider goes on below. */
const widest = 1500;

/**
 * Lays out boxes in rows from top to bottom: each below all that it comes after, and as near to their middle as the others let it.
 * The cost grows with the number of boxes and arrows, so that a graph of thousands is drawn at once.
 */
export function layOutRows(nodes: readonly LayoutNode[]): Layout {
  const rows = rowsOf(nodes).flatMap((row) => split(row, nodes));
  const width = Math.max(0, ...rows.map((row) => widthOf(row, nodes)));
  const places: Placed[] = nodes.map(({ width, height }) => ({ x: 0, y: 0, width, height }));
  let y = 0;
  for (const row of rows) {
    let x = (width - widthOf(row, nodes)) / 2;
    let height = 0;
    for (const index of row) {
      const size = nodes[index];
      if (size === undefined) continue;
      places[index] = { x, y, width: size.width, height: size.height };
      x += size.width + gap.x;
      height = Math.max(height, size.height);
    }
    y += height + gap.y;
  }
  return { places, width, height: Math.max(0, y - gap.y) };
}

/** The boxes of each row: the row is the number of steps that lead to a box; what goes round in circles is in the first free one. */
function rowsOf(nodes: readonly LayoutNode[]): readonly (readonly number[])[] {
  const next: number[][] = nodes.map(() => []);
  const open = nodes.map(({ after }, index) => {
    for (const before of after) next[before]?.push(index);
    return after.length;
  });
  const rows: number[][] = [];
  /** Where a box stands in its row, from 0 to 1. */
  const share = nodes.map(() => 0);
  let ready = nodes.flatMap((_, index) => (open[index] === 0 ? [index] : []));
  let placed = 0;
  while (placed < nodes.length) {
    if (ready.length === 0) ready = open.flatMap((count, index) => (count > 0 ? [index] : [])).slice(0, 1);
    const wish = new Map(ready.map((index) => [index, mean(nodes[index]?.after ?? [], share)]));
    const row = rows.length === 0 ? ready : ready.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0));
    rows.push(row);
    placed += row.length;
    ready = [];
    for (const [place, index] of row.entries()) {
      share[index] = (place + 0.5) / row.length;
      open[index] = -1;
      for (const one of next[index] ?? []) {
        const left = (open[one] ?? 0) - 1;
        if (left < 0) continue;
        open[one] = left;
        if (left === 0) ready.push(one);
      }
    }
  }
  return rows;
}

function mean(indexes: readonly number[], share: readonly number[]): number {
  if (indexes.length === 0) return 0.5;
  return indexes.reduce((sum, index) => sum + (share[index] ?? 0), 0) / indexes.length;
}

function split(row: readonly number[], nodes: readonly LayoutNode[]): readonly (readonly number[])[] {
  const rows: number[][] = [[]];
  let width = 0;
  for (const index of row) {
    const own = nodes[index]?.width ?? 0;
    if (width > 0 && width + own > widest) {
      rows.push([]);
      width = 0;
    }
    rows.at(-1)?.push(index);
    width += own + gap.x;
  }
  return rows;
}

function widthOf(row: readonly number[], nodes: readonly LayoutNode[]): number {
  return row.reduce((sum, index) => sum + (nodes[index]?.width ?? 0) + gap.x, -gap.x);
}
