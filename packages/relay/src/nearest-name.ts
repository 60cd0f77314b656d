/** The known name that was probably meant: the one that differs in two letters at most. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const most = name.length < 5 ? 1 : 2;
  const ranked = known
    .filter((one) => Math.abs(one.length - name.length) <= most)
    .map((one) => ({ one, distance: distanceBetween(name.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= most ? best.one : undefined;
}

/** How many letters have to be changed, added or taken away. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const changed = (row[j] ?? 0) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
