/** Work that can be interrupted wherever it yields. */
export type Sliced<Result> = Generator<void, Result, void>;

/** Does all of it at once. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
