/** One result: the position of the vehicle in what was indexed, and its score. */
export interface SearchHit {
  readonly position: number;
  readonly score: number;
}

/** Keeps the best few of many: the highest scores, equals by rank. */
export class BestHits {
  readonly #limit: number;
  readonly #rank: (position: number) => number;
  readonly #hits: SearchHit[] = [];

  constructor(limit: number, rank: (position: number) => number) {
    this.#limit = limit;
    this.#rank = rank;
  }

  /** The best score so far. */
  get top(): number {
    return this.#hits[0]?.score ?? 0;
  }

  /** A score below this is none of the best. */
  get least(): number {
    return this.#hits.length < this.#limit ? 0 : (this.#hits.at(-1)?.score ?? 0);
  }

  offer(position: number, score: number): void {
    if (score < this.least || this.#limit < 1) return;
    const hits = this.#hits;
    let at = hits.length;
    while (at > 0 && this.#isBetter(position, score, hits[at - 1])) at--;
    if (at >= this.#limit) return;
    // What is worse moves down, and the worst goes where there is no room.
    const last = Math.min(hits.length, this.#limit - 1);
    for (let place = last; place > at; place--) hits[place] = hits[place - 1] as SearchHit;
    hits[at] = { position, score };
  }

  /** Those that are not far behind the very best. */
  within(share: number): readonly SearchHit[] {
    const least = this.top * share;
    return this.#hits.filter(({ score }) => score >= least);
  }

  #isBetter(position: number, score: number, other: SearchHit | undefined): boolean {
    if (other === undefined || score !== other.score) return other === undefined || score > other.score;
    return this.#rank(position) < this.#rank(other.position);
  }
}
