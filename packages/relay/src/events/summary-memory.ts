import type { EventBudget } from "./event-budget.js";
import type { SummaryMemory } from "./summary.js";

/** Takes what is counted from one budget, until it was all given back: another may be the right one then. */
export function memoryWithin(budgetNow: () => EventBudget): SummaryMemory {
  let held = 0;
  let budget = budgetNow();
  return {
    take(bytes) {
      if (held === 0) budget = budgetNow();
      if (!budget.take(0, bytes)) return false;
      held += bytes;
      return true;
    },
    giveBack(bytes) {
      held -= bytes;
      budget.giveBack(0, bytes);
    },
  };
}
