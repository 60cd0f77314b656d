import type { CompiledFlag } from "../compile/compiled-flag.js";
import type { TextForm } from "../compile/outcome.js";
import { inOnePiece } from "../compile/outcome-texts.js";
import type { Snapshot } from "../compile/snapshot.js";
import { runFlag } from "./evaluate-flag.js";
import type { Scope } from "./scope.js";

/** Who asks, and so which flags are shown: all to servers, to others those that are marked as available there. */
export type Audience = "server" | "mobile" | "browser";

/** All audiences. */
export const audiences: readonly Audience[] = ["server", "mobile", "browser"];

/** Whether an audience gets to see a flag. */
export function isVisible(flag: CompiledFlag, audience: Audience): boolean {
  if (audience === "server") return true;
  return audience === "mobile" ? flag.usingMobileKey : flag.usingEnvironmentId;
}

/** Writes the results of flags for the scope's context as one JSON object. */
export type AllFlagsWriter = (scope: Scope) => string;

/** Prepares the writing: flags with the same result for every context come first, ready; the others follow. */
export function createAllFlagsWriter(
  { sorted, registry: { program, texts } }: Snapshot,
  audience: Audience,
  form: TextForm,
): AllFlagsWriter {
  const flags = sorted.filter((flag) => isVisible(flag, audience));
  const member = (outcome: number): string => texts.of(outcome, form, program);
  const constant = flags.flatMap((flag) => flag.constant ?? []).map(member);
  const ready = inOnePiece(`{${constant.join("").slice(1)}`);
  const varying = flags.flatMap((flag) => (flag.constant === undefined ? [flag.code] : []));
  return (scope) => {
    let text = ready;
    for (const code of varying) text += member(runFlag(scope, code));
    // Members begin with a comma.
    return constant.length > 0 ? `${text}}` : `{${text.slice(2)}}`;
  };
}
