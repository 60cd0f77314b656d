interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Stretches of a text that give way to others. The rest of the text stays as it is. */
export class Splices {
  readonly #splices: Splice[] = [];

  get isEmpty(): boolean {
    return this.#splices.length === 0;
  }

  /** Notes that `text` takes the place of what stands from `start` to `end`, or before what stands there. */
  replace(start: number, end: number, text: string): void {
    this.#splices.push({ start, end, text });
  }

  /** The text with all of that done; what goes before others at the same place was noted first. */
  applyTo(source: string): string {
    const inOrder = this.#splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
    let at = 0;
    let result = "";
    for (const { start, end, text } of inOrder) {
      result += source.slice(at, start) + text;
      at = end;
    }
    return result + source.slice(at);
  }
}
