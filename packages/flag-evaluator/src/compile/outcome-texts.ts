import { outcomeText, type TextForm, textForms } from "./outcome.js";
import type { Program } from "./program.js";

/** Each outcome has a text for each form. */
const FORMS = Object.keys(textForms).length;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The texts of outcomes as members of a response, each with the comma before it, made when they are first asked for. All
 * stand in one list: the way over the outcomes would be a walk through memory.
 */
export class OutcomeTexts {
  readonly #texts: (string | undefined)[] = [];

  /** The text in that form of the outcome with that number. */
  of(outcome: number, form: TextForm, program: Program): string {
    const place = FORMS * outcome + form;
    return this.#texts[place] ?? this.#keep(place, outcomeText(program.outcome(outcome), form));
  }

  #keep(place: number, member: string): string {
    // Without gaps, which engines keep in slower ways.
    while (this.#texts.length <= place) this.#texts.push(undefined);
    const text = inOnePiece(`,${member}`);
    this.#texts[place] = text;
    return text;
  }
}

/** Engines keep joined strings as trees of their parts; what is used over and over should not be walked every time. */
export function inOnePiece(ascii: string): string {
  return decoder.decode(encoder.encode(ascii));
}
