import { outcomeText, type TextForm, textForms } from "./outcome.js";
import type { Program } from "./program.js";

/** Each outcome has bytes for each form. */
const FORMS = Object.keys(textForms).length;

/** Small pieces share memory: an array of its own takes several times what most of them have. */
const CHUNK = 64 * 1024;

const encoder = new TextEncoder();

/**
 * The bytes of outcomes as members of a response, each with the comma before it, made when they are first asked for. All
 * stand in one list: the way over the outcomes would be a walk through memory.
 */
export class OutcomeBytes {
  readonly #pieces: (Uint8Array | undefined)[] = [];
  #chunk = new Uint8Array();
  #used = 0;

  /** The bytes in that form of the outcome with that number. */
  of(outcome: number, form: TextForm, program: Program): Uint8Array {
    const place = FORMS * outcome + form;
    return this.#pieces[place] ?? this.#keep(place, `,${outcomeText(program.outcome(outcome), form)}`);
  }

  #keep(place: number, ascii: string): Uint8Array {
    // Without gaps, which engines keep in slower ways.
    while (this.#pieces.length <= place) this.#pieces.push(undefined);
    const piece = this.#allocate(ascii.length);
    encoder.encodeInto(ascii, piece);
    this.#pieces[place] = piece;
    return piece;
  }

  #allocate(size: number): Uint8Array {
    if (size > CHUNK / 8) return new Uint8Array(size);
    if (this.#used + size > this.#chunk.length) {
      this.#chunk = new Uint8Array(CHUNK);
      this.#used = 0;
    }
    this.#used += size;
    return this.#chunk.subarray(this.#used - size, this.#used);
  }
}
