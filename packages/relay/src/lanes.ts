/** Runs a task as soon as there is a lane for it, unless `until` is aborted before: then it rejects with the reason. */
export type Lanes = <Result>(task: () => Promise<Result>, until?: AbortSignal) => Promise<Result>;

/** Lets so many tasks run side by side; the others wait for their turn, in the order in which they came. */
export function createLanes(width: number): Lanes {
  const waiting = new Set<() => void>();
  let free = width;
  const laneIsFree = (until: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        until?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(begin);
        reject(until?.reason);
      };
      waiting.add(begin);
      until?.addEventListener("abort", leave, { once: true });
    });
  return async (task, until) => {
    until?.throwIfAborted();
    if (free === 0) await laneIsFree(until);
    else free--;
    try {
      return await task();
    } finally {
      const [next] = waiting;
      if (next === undefined) free++;
      else {
        waiting.delete(next);
        next();
      }
    }
  };
}
