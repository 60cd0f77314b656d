/** A text whose lines end with CR LF, as one whose lines end with LF, and where each part of it stood before. */
export class CarriageReturns {
  /** The text without them. */
  readonly without: string;
  /** The places in it before which one was. */
  readonly #places: Int32Array;

  constructor(text: string) {
    const places = new Int32Array(text.split("\r\n").length - 1);
    let count = 0;
    for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) {
      places[count] = at - count;
      count++;
    }
    this.without = text.replaceAll("\r\n", "\n");
    this.#places = places;
  }

  /** Where in the text was what is at a place without them. */
  offsetOf(at: number): number {
    let low = 0;
    let high = this.#places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return at + low;
  }
}
