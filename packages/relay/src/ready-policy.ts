import { nearestName } from "./nearest-name.js";
import type { Phase } from "./readiness.js";

/**
 * When a relay is ready for traffic: `all` its environments have data, `any` of them has, or these have, each with its
 * payload filters. Environments whose key upstream refuses hold back nobody under `all`; without any data a relay is never
 * ready.
 */
export type ReadyPolicy = "all" | "any" | readonly string[];

/** What the policy looks at. */
export interface ReadyCandidate {
  /** The name of the environment, without the filter. */
  readonly group: string;
  readonly phase: Phase;
}

/** Whether these environments are enough. */
export function isReady(policy: ReadyPolicy, candidates: readonly ReadyCandidate[]): boolean {
  const hasData = ({ phase }: ReadyCandidate) => phase === "ready";
  if (policy === "any") return candidates.some(hasData);
  if (policy === "all")
    return candidates.some(hasData) && candidates.every((one) => hasData(one) || one.phase === "refused");
  return policy.every((name) => {
    const named = candidates.filter(({ group }) => group === name);
    return named.length > 0 && named.every(hasData);
  });
}

/** A sentence for each environment that the policy waits for and that is not there. */
export function missingNames(policy: ReadyPolicy, names: readonly string[]): string[] {
  if (typeof policy === "string") return [];
  return policy
    .filter((name) => !names.includes(name))
    .map((name) => {
      const meant = nearestName(name, names);
      const hint = meant === undefined ? "" : `; is ${JSON.stringify(meant)} meant?`;
      return `ready: there is no environment ${JSON.stringify(name)}, so /ready is 503 until one is added${hint}`;
    });
}
