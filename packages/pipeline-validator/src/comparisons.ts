import type { ComparisonBudget } from "@wye/pipeline-spec";

/**
 * How long names of one task are compared, which supplies so many that nobody declares: enough for what people write. Each task
 * has a budget of its own, so that what is said of one does not depend on others.
 */
export const comparisons = (names: number): ComparisonBudget => ({ steps: 8_000 + 1_000 * names });
