import type { RolloutModel } from "../read/flag-model.js";
import { bucketingCode, bucketLimit } from "./bucketing.js";
import type { Registry } from "./registry.js";

/**
 * Compiles a rollout with at least one share, and gives the decision for it; undefined if its attribute reference is not
 * valid. A context without the kind that is dealt out gets the first share that is not empty, outside the experiment.
 */
export function compileRollout(
  registry: Registry,
  item: { readonly key: string; readonly salt: string },
  { variations, experiment, contextKind, bucketBy, seed }: RolloutModel,
  outcomeFor: (variation: number, inExperiment: boolean) => number,
): number | undefined {
  const prefix = seed === undefined ? `${item.key}.${item.salt}` : String(seed);
  const bucketing = bucketingCode(registry, { prefix, contextKind, bucketBy, experiment });
  if (bucketing === undefined) return undefined;
  let sum = 0;
  const shares = variations.map(({ weight, variation, untracked }) => {
    sum += weight / 100_000;
    return { limit: bucketLimit(sum), outcome: outcomeFor(variation, experiment && !untracked) };
  });
  const first = variations[shares.findIndex(({ limit }) => limit > 0)] ?? variations.at(-1);
  return registry.program.addRollout(outcomeFor(first?.variation ?? -1, false), shares, bucketing);
}
