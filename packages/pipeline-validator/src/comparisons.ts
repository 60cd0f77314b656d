import type { ComparisonBudget } from "@wye/pipeline-spec";

/**
 * How long names of one task are compared, which supplies so many that nobody declares: enough for what people write. Each task
 * has a budget of its own, so that what is said of one does not depend on others.
 */
export const comparisons = (names: number): ComparisonBudget => ({
  steps: 8_000 + 1_000 * Math.min(names, mostNames),
});

/** More names do not get more steps: nobody reads what is said of so many. */
const mostNames = 20_000;
