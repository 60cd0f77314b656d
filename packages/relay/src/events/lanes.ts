/** Runs a task as soon as there is a lane for it. */
export type Lanes = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Lets so many tasks run side by side; the others wait for their turn, in the order in which they came. */
export function createLanes(width: number): Lanes {
  const waiting: (() => void)[] = [];
  let free = width;
  return async (task) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free--;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
