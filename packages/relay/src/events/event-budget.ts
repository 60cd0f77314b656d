/** What one thing that is kept costs beside its bytes: objects, entries of maps, the head of a buffer. */
export const entryBytes = 256;

/** How much may be kept. */
export interface EventRoom {
  readonly count: number;
  readonly bytes: number;
}

/**
 * What events may hold until upstream has taken them: those that wait to be sent, those that are on their way, summaries
 * that are being counted, and diagnostics. Whoever keeps something takes its size from here, and gives back the same.
 */
export class EventBudget {
  readonly #capacity: EventRoom;
  readonly #changed: (events: number) => void;
  #count = 0;
  #bytes = 0;

  /** `changed` is told how many events more, or fewer, are kept. */
  constructor(capacity: EventRoom, changed: (events: number) => void) {
    this.#capacity = capacity;
    this.#changed = changed;
  }

  /** What is left of it. */
  get room(): EventRoom {
    return { count: this.#capacity.count - this.#count, bytes: this.#capacity.bytes - this.#bytes };
  }

  /** Takes what something costs. Gives false, and takes nothing, when it does not fit. */
  take(count: number, bytes: number): boolean {
    if (this.#count + count > this.#capacity.count || this.#bytes + bytes > this.#capacity.bytes)
      return false;
    this.#change(count, bytes);
    return true;
  }

  giveBack(count: number, bytes: number): void {
    this.#change(-count, -bytes);
  }

  #change(count: number, bytes: number): void {
    this.#count += count;
    this.#bytes += bytes;
    if (count !== 0) this.#changed(count);
  }
}
