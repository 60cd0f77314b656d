/** More are of no use to who mends them. */
const mostCircles = 50;

/** Circles in what refers to what: the names of each in their order, the first one at the end again. */
export function findCircles(
  references: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  const circles: (readonly string[])[] = [];
  const done = new Set<string>();
  // The way from a root, with what each name on it still refers to. Without recursion: a way may be long.
  const way: { readonly name: string; readonly rest: Iterator<string, undefined> }[] = [];
  const names = new Set<string>();
  const enter = (name: string) => {
    way.push({ name, rest: (references.get(name) ?? []).values() });
    names.add(name);
  };
  for (const root of references.keys()) {
    if (!done.has(root)) enter(root);
    for (let last = way.at(-1); last !== undefined; last = way.at(-1)) {
      const { value: next } = last.rest.next();
      if (next === undefined) {
        way.pop();
        names.delete(last.name);
        done.add(last.name);
      } else if (!names.has(next)) {
        if (!done.has(next)) enter(next);
      } else if (circles.length < mostCircles) {
        const all = way.map(({ name }) => name);
        circles.push([...all.slice(all.indexOf(next)), next]);
      }
    }
  }
  return circles;
}
