import { outcomeText, type TextForm, textForms } from "./outcome.js";
import type { Program } from "./program.js";

/** Small pieces share memory: an array of its own takes several times what most of them have. */
const CHUNK = 64 * 1024;

const encoder = new TextEncoder();

/**
 * The bytes of outcomes as members of a response, each with the comma before it, made when they are first asked for. All
 * of a form stand in one list: the way over the outcomes would be a walk through memory.
 */
export class OutcomeBytes {
  readonly #pieces = Object.values(textForms).map((): (Uint8Array | undefined)[] => []);
  #chunk = new Uint8Array();
  #used = 0;

  /** The bytes of outcomes in that form, by number, as far as they were asked for. */
  inForm(form: TextForm): readonly (Uint8Array | undefined)[] {
    return this.#pieces[form] ?? [];
  }

  /** The bytes in that form of the outcome with that number. */
  of(outcome: number, form: TextForm, program: Program): Uint8Array {
    const pieces = this.#pieces[form] ?? [];
    // Without gaps, which engines keep in slower ways.
    while (pieces.length <= outcome) pieces.push(undefined);
    const piece = pieces[outcome] ?? this.#encode(`,${outcomeText(program.outcome(outcome), form)}`);
    pieces[outcome] = piece;
    return piece;
  }

  #encode(ascii: string): Uint8Array {
    const piece = this.#allocate(ascii.length);
    encoder.encodeInto(ascii, piece);
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
