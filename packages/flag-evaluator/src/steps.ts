/**
 * Work that may be interrupted. It yields now and then: about how much it has done since it last did, in characters of
 * flag data.
 */
export type Steps<Result> = Generator<number, Result, void>;

/** Does all of the work. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
  }
}
