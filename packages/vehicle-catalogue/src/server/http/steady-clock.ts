/**
 * A clock that goes forward as another one does, and stands still where that one goes back or tells no time: who has to wait does not
 * wait for an hour because a machine has set its clock back by one.
 */
export function steadyClock(now: () => number): () => number {
  let steady = 0;
  let told: number | undefined;
  return () => {
    const time = now();
    if (!Number.isFinite(time)) return steady;
    steady += Math.max(0, time - (told ?? time));
    told = time;
    return steady;
  };
}
