import type { Sliced } from "../../records/sliced.js";

/** How long work may keep the event loop to itself. Garbage is collected on top of that. */
const sliceMs = 2;

/** Does it in slices, between which everything else gets its turn. What is done within the first slice is done at once. */
export async function inSlices<Result>(work: Sliced<Result>): Promise<Result> {
  for (;;) {
    const until = performance.now() + sliceMs;
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await turn();
  }
}

/** Waits until everything that waits already has had its turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
