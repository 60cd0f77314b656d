import type { Arrow } from "./arrows.js";

/** How many rows all arrows together may skip; each skipped row costs the layout as much as a box. */
const mostSkipped = 2_000;

/**
 * Tells the arrows that are led around boxes from those that would make the layout slow, because they skip too many
 * rows: those are drawn straight. In graphs of ordinary size there are none.
 */
export function splitLongArrows(
  ids: readonly string[],
  arrows: readonly Arrow[],
): { readonly short: readonly Arrow[]; readonly long: readonly Arrow[] } {
  const rows = rowsOf(ids, arrows);
  const skipped = ({ from, to }: Arrow): number =>
    Math.max(0, Math.abs((rows.get(to) ?? 0) - (rows.get(from) ?? 0)) - 1);
  let sum = 0;
  const long = new Set<Arrow>();
  for (const arrow of [...arrows].sort((a, b) => skipped(a) - skipped(b))) {
    sum += skipped(arrow);
    if (sum > mostSkipped && skipped(arrow) > 0) long.add(arrow);
  }
  return { short: arrows.filter((arrow) => !long.has(arrow)), long: [...long] };
}

/** The row of each box: one below the lowest of what comes before it; boxes on a cycle stay where that began. */
function rowsOf(ids: readonly string[], arrows: readonly Arrow[]): ReadonlyMap<string, number> {
  const after = new Map<string, string[]>(ids.map((id) => [id, []]));
  const open = new Map<string, number>(ids.map((id) => [id, 0]));
  for (const { from, to } of arrows) {
    after.get(from)?.push(to);
    open.set(to, (open.get(to) ?? 0) + 1);
  }
  const rows = new Map<string, number>(ids.map((id) => [id, 0]));
  const ready = ids.filter((id) => open.get(id) === 0);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    for (const next of after.get(id) ?? []) {
      rows.set(next, Math.max(rows.get(next) ?? 0, (rows.get(id) ?? 0) + 1));
      const left = (open.get(next) ?? 0) - 1;
      open.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  return rows;
}
