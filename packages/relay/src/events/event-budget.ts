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
  readonly #whole: EventBudget | undefined;
  #count = 0;
  #bytes = 0;

  /** `changed` is told how many events more, or fewer, are kept. */
  constructor(capacity: EventRoom, changed: (events: number) => void, whole?: EventBudget) {
    this.#capacity = capacity;
    this.#changed = changed;
    this.#whole = whole;
  }

  /** A budget that takes what it keeps from this one, and never more than three quarters of it. */
  part(): EventBudget {
    const { count, bytes } = this.#capacity;
    return new EventBudget(
      { count: Math.ceil(count * 0.75), bytes: Math.ceil(bytes * 0.75) },
      () => {},
      this,
    );
  }

  /** What is left of it. */
  get room(): EventRoom {
    const count = this.#capacity.count - this.#count;
    const bytes = this.#capacity.bytes - this.#bytes;
    const left = this.#whole?.room ?? { count, bytes };
    return { count: Math.min(count, left.count), bytes: Math.min(bytes, left.bytes) };
  }

  /** Takes what something costs. Gives false, and takes nothing, when it does not fit. */
  take(count: number, bytes: number): boolean {
    if (this.#count + count > this.#capacity.count || this.#bytes + bytes > this.#capacity.bytes)
      return false;
    if (this.#whole?.take(count, bytes) === false) return false;
    this.#change(count, bytes);
    return true;
  }

  giveBack(count: number, bytes: number): void {
    this.#whole?.giveBack(count, bytes);
    this.#change(-count, -bytes);
  }

  #change(count: number, bytes: number): void {
    this.#count += count;
    this.#bytes += bytes;
    if (count !== 0) this.#changed(count);
  }
}

/** What is kept for whom. */
export interface EventBudgets {
  readonly all: EventBudget;
  /** What anyone can send any number of has to do with a part, so that there is room left for others. */
  readonly strange: EventBudget;
}
