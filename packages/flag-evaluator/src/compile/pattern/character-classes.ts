import type { CharSet } from "./char-set.js";
import { type Neighbour, neighbourOf } from "./neighbour.js";

/** All characters between which a pattern makes no difference. */
export interface CharacterClass {
  /** Its number; UNKNOWN when it is not kept. */
  readonly index: number;
  readonly neighbour: Neighbour;
  /** For each set of the pattern whether it has these characters. */
  readonly members: readonly boolean[];
}

/** Not a class: no state leads anywhere by it. */
export const UNKNOWN = 0;
/** Codes below it are found in a table. */
const ASCII = 128;
const REPLACEMENT_CHARACTER = 0xfffd;

const MAX_CLASSES = 500;
const MAX_CODES = 2000;

/** The classes of characters as they come along; so many are kept that usual texts need no more. */
export class CharacterClasses {
  readonly #sets: readonly CharSet[];
  readonly #byKey = new Map<string, CharacterClass>();
  readonly #byIndex: (CharacterClass | undefined)[] = [];
  /** The number of the class of each code below ASCII; UNKNOWN when that is not known yet. */
  readonly ascii: Int16Array<ArrayBuffer> = new Int16Array(ASCII);
  readonly #codes = new Map<number, number>();

  constructor(sets: readonly CharSet[]) {
    this.#sets = sets;
  }

  /** The number of the class of a code; UNKNOWN when that is not known yet, or not kept. */
  indexOf(code: number): number {
    return (code < ASCII ? this.ascii[code] : this.#codes.get(code)) ?? UNKNOWN;
  }

  /** The class of a code. */
  of(code: number): CharacterClass {
    return this.#byIndex[this.indexOf(code)] ?? this.#find(code);
  }

  #find(code: number): CharacterClass {
    const character = isSurrogate(code) ? REPLACEMENT_CHARACTER : code;
    const neighbour = neighbourOf(character);
    const members = this.#sets.map((set) => set.has(character));
    const key = `${neighbour} ${members.map(Number).join("")}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return this.#keep(code, known);
    if (this.#byKey.size >= MAX_CLASSES) return { index: UNKNOWN, neighbour, members };
    const found = { index: UNKNOWN + 1 + this.#byKey.size, neighbour, members };
    this.#byKey.set(key, found);
    this.#byIndex[found.index] = found;
    return this.#keep(code, found);
  }

  #keep(code: number, found: CharacterClass): CharacterClass {
    if (code < ASCII) this.ascii[code] = found.index;
    else if (this.#codes.size < MAX_CODES) this.#codes.set(code, found.index);
    return found;
  }
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}
