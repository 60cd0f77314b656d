import type { CompiledFlag } from "./compiled-flag.js";
import { runFlag } from "./evaluate-flag.js";
import { outcomeText, type TextForm, textForms } from "./outcome.js";
import type { Scope } from "./scope.js";
import type { Snapshot } from "./snapshot.js";

/** Who asks, and so which flags are shown: all to servers, to others those that are marked as available there. */
export type Audience = "server" | "mobile" | "browser";

/** All audiences. */
export const audiences: readonly Audience[] = ["server", "mobile", "browser"];

/** Whether an audience gets to see a flag. */
export function isVisible(flag: CompiledFlag, audience: Audience): boolean {
  if (audience === "server") return true;
  return audience === "mobile" ? flag.usingMobileKey : flag.usingEnvironmentId;
}

/** Writes the results of flags for the scope's context as one JSON object. The bytes are gone with the next writing. */
export type AllFlagsWriter = (scope: Scope) => Uint8Array<ArrayBuffer>;

/** Each outcome has a text for each form. */
const FORMS = Object.keys(textForms).length;

/** Prepares the writing: flags with the same result for every context come first, ready; the others follow. */
export function createAllFlagsWriter(
  { sorted, registry: { program, texts } }: Snapshot,
  audience: Audience,
  form: TextForm,
): AllFlagsWriter {
  const flags = sorted.filter((flag) => isVisible(flag, audience));
  const textOf = (outcome: number): number => {
    const number = FORMS * outcome + form;
    if (!texts.has(number)) texts.keep(number, outcomeText(program.outcome(outcome), form));
    return number;
  };
  const constant = flags.flatMap((flag) => flag.constant ?? []).map(textOf);
  const ready = texts.gather(new Uint8Array(), Int32Array.from(constant)).slice(1, -1);
  const varying = flags.flatMap((flag) => (flag.constant === undefined ? [flag.code] : []));
  const numbers = new Int32Array(varying.length);
  return (scope) => {
    let i = 0;
    for (const code of varying) numbers[i++] = textOf(runFlag(scope, code));
    return texts.gather(ready, numbers);
  };
}
