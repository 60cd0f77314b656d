/** Hands out room for values and logs, so that a report of any run can be opened: what is too long is cut, and says so. */
export class TextBudget {
  #left: number;

  constructor(characters: number) {
    this.#left = characters;
  }

  /** The beginning of a text. */
  head(value: string, most: number): string {
    const room = this.#take(value, most);
    return value.length <= room ? value : `${value.slice(0, room)}… (${value.length - room} more characters)`;
  }

  /** The end of a text. */
  tail(value: string, most: number): string {
    const room = this.#take(value, most);
    return value.length <= room
      ? value
      : `(${value.length - room} characters before) …${value.slice(value.length - room)}`;
  }

  #take(value: string, most: number): number {
    const room = Math.max(0, Math.min(value.length, most, this.#left));
    this.#left -= room;
    return room;
  }
}
