import type { Sliced } from "../../records/sliced.js";
import type { Awaitable } from "../awaitable.js";
import type { CatalogueCall } from "../catalogue.js";

/** How long work may keep the event loop to itself. Garbage is collected on top of that. */
const sliceMs = 2;

/** Does it in slices, between which everything else gets its turn. What is done within the first slice is done at once. */
export async function inSlices<Result>(work: Sliced<Result>): Promise<Result> {
  return soon(work);
}

/** The same for an answer, which is there at once if one slice is enough; given up when nobody waits for it any more. */
export function soon<Result>(work: Sliced<Result>, call?: CatalogueCall): Awaitable<Result> {
  const first = oneSlice(work);
  return first.done === true ? first.value : theRest(work, call);
}

async function theRest<Result>(work: Sliced<Result>, call: CatalogueCall | undefined): Promise<Result> {
  for (;;) {
    await turn();
    call?.signal.throwIfAborted();
    const step = oneSlice(work);
    if (step.done === true) return step.value;
  }
}

function oneSlice<Result>(work: Sliced<Result>): IteratorResult<void, Result> {
  const until = performance.now() + sliceMs;
  for (;;) {
    const step = work.next();
    if (step.done === true || performance.now() >= until) return step;
  }
}

/** Who waits for a turn. All work of the process stands here, so that several pieces of it take no longer turns than one. */
const waiting: (() => void)[] = [];

/** Waits until everything that waits already has had its turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) later(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) later(giveTurn);
}

function later(run: () => void): void {
  if (typeof setImmediate === "function") setImmediate(run);
  else setTimeout(run, 0);
}
