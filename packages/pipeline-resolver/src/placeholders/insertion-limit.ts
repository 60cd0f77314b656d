/** As many characters as a whole file may have. */
const mostCharacters = 32 * 1024 * 1024;

/** How much may be filled in for placeholders: a few that name each other, or a large value, would else take all memory. */
export class InsertionLimit {
  #left = mostCharacters;

  /** Takes room for a text: false when there is not enough. */
  take(text: string): boolean {
    this.#left -= text.length;
    return this.#left >= 0;
  }

  /** Takes room for all that is in a value, as often as it is in there: constants may hold the same list many times. */
  takeAll(value: unknown): boolean {
    const open: unknown[] = [value];
    while (open.length > 0 && this.#left >= 0) {
      const one = open.pop();
      this.#left -= typeof one === "string" ? one.length + 1 : 1;
      if (typeof one === "object" && one !== null) for (const inner of Object.values(one)) open.push(inner);
    }
    return this.#left >= 0;
  }
}

/** What is said where there is not enough room. */
export const insertionLimitReached: string = `the values that are filled in have more than ${mostCharacters} characters`;
