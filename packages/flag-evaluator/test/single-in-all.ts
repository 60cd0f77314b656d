import { isDeepStrictEqual } from "node:util";
import { compileFlags, createContext, type EvaluationDetail } from "../src/index.js";
import { createBigSegmentStore, fetchBigSegments } from "./big-segment-store.js";
import { Random } from "./random.js";
import { wildContext, wildData } from "./wild-data.js";

/** What of a detail stands in a response with reasons. */
function shown({ value, variation, version, reason, prerequisites }: EvaluationDetail): object {
  return {
    value,
    variation: variation ?? null,
    version,
    reason,
    ...(prerequisites.length > 0 ? { prerequisites } : {}),
  };
}

/** Evaluates each flag alone and among all, for contexts of wild data, and counts what is not the same. */
export function compareSingleWithAll(
  seed: number,
  { sets, flags, contexts }: { readonly sets: number; readonly flags: number; readonly contexts: number },
): { readonly comparisons: number; readonly mismatches: readonly object[] } {
  const random = new Random(seed);
  const mismatches: object[] = [];
  let comparisons = 0;
  for (let set = 0; set < sets; set++) {
    const data = wildData(random, flags);
    const status = ([undefined, "HEALTHY", "STALE"] as const)[set % 3];
    const store = status && createBigSegmentStore(status, Object.keys(data.segments));
    const evaluator = compileFlags(data);
    for (let i = 0; i < contexts; i++) {
      const fields = wildContext(random);
      const context = createContext(fields);
      const bigSegments = store && fetchBigSegments(evaluator, context, store);
      const all = JSON.parse(evaluator.evaluateAll(context, { withReasons: true, bigSegments }));
      for (const key of Object.keys(data.flags)) {
        comparisons++;
        const { trackEvents, trackReason, debugEventsUntilDate, ...among } = all[key];
        const alone = JSON.parse(JSON.stringify(shown(evaluator.evaluate(key, context, { bigSegments }))));
        if (!isDeepStrictEqual(alone, among)) mismatches.push({ seed, set, key, fields, alone, among });
      }
    }
  }
  return { comparisons, mismatches };
}
