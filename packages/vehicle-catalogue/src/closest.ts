/** The name that is likely meant by another one; undefined when none is near. */
export function closest(name: string, known: readonly string[]): string | undefined {
  const most = Math.min(3, Math.floor(name.length / 2));
  const near = known
    .map((candidate) => ({ candidate, steps: editSteps(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ steps }) => steps <= most)
    .sort((a, b) => a.steps - b.steps);
  return near[0]?.candidate;
}

/** How many letters have to be added, left out or replaced. */
function editSteps(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] ?? 0) + (to[column] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
