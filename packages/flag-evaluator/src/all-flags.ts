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

const CLOSING_BRACE = 0x7d;
/** Each outcome has a text for each form. */
const FORMS = Object.keys(textForms).length;

/** Prepares the writing: flags with the same result for every context come first, ready; the others follow. */
export function createAllFlagsWriter(
  { sorted, registry: { program, texts } }: Snapshot,
  audience: Audience,
  form: TextForm,
): AllFlagsWriter {
  const flags = sorted.filter((flag) => isVisible(flag, audience));
  const constant = flags.flatMap((flag) => flag.constant ?? []);
  const beginning = `{${constant
    .map((outcome) => outcomeText(outcome, form))
    .join("")
    .slice(1)}`;
  const first = new TextEncoder().encode(beginning);
  const varying = flags.flatMap(({ constant, code }) => (constant === undefined ? [code] : []));
  const pieces = new Int32Array(2 * varying.length);
  return (scope) => {
    let i = 0;
    for (const code of varying) {
      const outcome = runFlag(scope, code);
      const text = FORMS * outcome + form;
      if ((texts.spans[2 * text + 1] ?? 0) === 0)
        texts.keep(text, outcomeText(program.outcome(outcome), form));
      pieces[i++] = texts.spans[2 * text] ?? 0;
      pieces[i++] = texts.spans[2 * text + 1] ?? 0;
    }
    // A member follows a comma, except the first of all.
    if (constant.length === 0 && i > 0) pieces[0] = (pieces[0] ?? 0) + 1;
    return texts.gather(first, pieces, CLOSING_BRACE);
  };
}
