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

  /** Tells of a place whether what stands there gives way, by what was noted up to now. */
  get isTaken(): (at: number) => boolean {
    const inOrder = this.#splices.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start);
    return (at) => {
      let [low, high] = [0, inOrder.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((inOrder[middle]?.end ?? 0) <= at) low = middle + 1;
        else high = middle;
      }
      return (inOrder[low]?.start ?? at + 1) <= at;
    };
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
