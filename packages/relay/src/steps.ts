import type { Steps } from "@wye/flag-evaluator";

/** How much is done in one turn of the event loop: some milliseconds' worth, in characters of flag data. */
const perTurn = 256 * 1024;

/** Does all of the work. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
  }
}

/** Stands for work that was given up. */
export const givenUp: unique symbol = Symbol("given up");

/**
 * Does work in as many turns of the event loop as it needs, so that requests do not wait for the end: what is small is done
 * at once. Gives it up between two turns when it is not wanted any more.
 */
export function inTurns<Result>(steps: Steps<Result>): Result | Promise<Result>;
export function inTurns<Result>(
  steps: Steps<Result>,
  isWanted: () => boolean,
): Result | Promise<Result | typeof givenUp>;
export function inTurns<Result>(
  steps: Steps<Result>,
  isWanted: () => boolean = () => true,
): Result | Promise<Result | typeof givenUp> {
  const first = turn(steps);
  return first === undefined ? goOn(steps, isWanted) : first.result;
}

async function goOn<Result>(steps: Steps<Result>, isWanted: () => boolean): Promise<Result | typeof givenUp> {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!isWanted()) return givenUp;
    const next = turn(steps);
    if (next !== undefined) return next.result;
  }
}

/** Works for one turn; tells the result if that was the last. */
function turn<Result>(steps: Steps<Result>): { readonly result: Result } | undefined {
  for (let done = 0; done < perTurn; ) {
    const next = steps.next();
    if (next.done) return { result: next.value };
    done += next.value;
  }
  return undefined;
}
