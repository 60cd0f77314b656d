import { outcomeText, type TextForm, textForms } from "./outcome.js";
import type { Program } from "./program.js";

/** Outcomes as members of a response, each with the comma before it, made when they are first asked for. */
export class OutcomeTexts {
  readonly #texts = Object.values(textForms).map(() => new Map<number, string>());

  /** The text in that form of the outcome with that number. */
  of(outcome: number, form: TextForm, program: Program): string {
    const known = this.#texts[form]?.get(outcome);
    if (known !== undefined) return known;
    const text = `,${outcomeText(program.outcome(outcome), form)}`;
    this.#texts[form]?.set(outcome, text);
    return text;
  }
}
