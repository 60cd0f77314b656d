import { isDeepStrictEqual } from "node:util";
import { compileFlags, createContext, type EvaluationReason } from "../src/index.js";
import { createBigSegmentStore, fetchBigSegments } from "./big-segment-store.js";
import { Random } from "./random.js";
import { startSdkOracle } from "./sdk-oracle.js";
import { wildContext, wildData } from "./wild-data.js";

/** What comparing with the official SDK found. */
export interface Differences {
  readonly comparisons: number;
  /** How often each reason came up, by kind and, if big segments were asked, their status. */
  readonly reasons: ReadonlyMap<string, number>;
  readonly mismatches: readonly {
    readonly seed: number;
    readonly set: number;
    readonly flag: unknown;
    readonly context: object;
    readonly actual: unknown;
    readonly expected: unknown;
  }[];
}

/** Evaluates sets of flags for contexts with both, and compares all that they say of each flag. */
export async function compareWithSdk(
  seed: number,
  { sets, flags, contexts }: { readonly sets: number; readonly flags: number; readonly contexts: number },
): Promise<Differences> {
  const random = new Random(seed);
  const reasons = new Map<string, number>();
  const mismatches: Differences["mismatches"][number][] = [];
  let comparisons = 0;
  for (let set = 0; set < sets; set++) {
    const data = wildData(random, flags);
    const store = [undefined, "HEALTHY", "STALE"] as const;
    const status = store[set % 3];
    const bigSegments = status && createBigSegmentStore(status, Object.keys(data.segments));
    const sdk = await startSdkOracle(data, bigSegments);
    const evaluator = compileFlags(data);
    for (let i = 0; i < contexts; i++) {
      const fields = wildContext(random);
      const context = createContext(fields);
      const memberships = bigSegments && fetchBigSegments(evaluator, context, bigSegments);
      const actual = JSON.parse(
        evaluator.evaluateAll(context, { withReasons: true, bigSegments: memberships }),
      );
      const expected = await sdk.evaluateAll(fields);
      for (const key of Object.keys(data.flags)) {
        comparisons++;
        count(reasons, actual[key].reason);
        if (isDeepStrictEqual(actual[key], expected[key])) continue;
        mismatches.push({
          seed,
          set,
          flag: data.flags[key],
          context: fields,
          actual: actual[key],
          expected: expected[key],
        });
      }
    }
    sdk.close();
  }
  return { comparisons, reasons, mismatches };
}

function count(
  reasons: Map<string, number>,
  { kind, inExperiment, bigSegmentsStatus }: EvaluationReason,
): void {
  const name = [kind, inExperiment && "inExperiment", bigSegmentsStatus].filter(Boolean).join(" ");
  reasons.set(name, (reasons.get(name) ?? 0) + 1);
}
