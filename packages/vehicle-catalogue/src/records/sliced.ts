/** Work that can be interrupted wherever it yields. */
export type Sliced<Result> = Generator<void, Result, void>;

/** Work on one item after another yields after so many: to stop costs as much as a small item does. */
export const itemsPerStep = 16;

/** Does all of it at once. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
