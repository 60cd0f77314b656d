/** An answer that may be given again, or a question that may be put again. */
interface Entry {
  readonly body: Uint8Array | undefined;
  readonly bytes: number;
  /** Whether it was asked for since it was kept, or looked at last. */
  used: boolean;
}

/** What an entry takes beside its question and its body. */
const entryBytes = 200;
/** One answer may take such a part of all. */
const largestPart = 8;

/**
 * Keeps the answers to questions that are put again and again, as by SDKs that poll for the same context. An answer is kept when
 * its question comes for the second time. A question is about one state; what is asked about another state is another question.
 * When there is no room, what was not asked for lately goes; while all that is kept is asked for, nothing new is kept.
 */
export class KeptAnswers {
  readonly #maxBytes: number;
  /** The one that has been left alone longest first. */
  readonly #entries = new Map<string, Entry>();
  /** States have numbers, so that an answer keeps no state that is over. */
  readonly #numbers = new WeakMap<object, number>();
  #bytes = 0;
  #states = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** What is kept, and its keys, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A question about a state; undefined where no answer is kept. */
  questionOf(state: object, text: string): string | undefined {
    if (this.#maxBytes === 0) return undefined;
    let number = this.#numbers.get(state);
    if (number === undefined) {
      number = this.#states++;
      this.#numbers.set(state, number);
    }
    return `${number} ${text}`;
  }

  get(question: string): Uint8Array | undefined {
    const entry = this.#entries.get(question);
    if (entry?.body === undefined) return undefined;
    entry.used = true;
    return entry.body;
  }

  /** Offers the answer to a question, which may be lent. */
  offer(question: string, body: Uint8Array): void {
    const isAgain = this.#entries.has(question);
    const bytes = entryBytes + question.length + (isAgain ? body.length : 0);
    if (bytes > this.#maxBytes / largestPart) return;
    this.#remove(question);
    if (this.#makeRoom(bytes))
      this.#put(question, { body: isAgain ? new Uint8Array(body) : undefined, bytes, used: false });
  }

  #makeRoom(bytes: number): boolean {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes + bytes <= this.#maxBytes) break;
      this.#remove(key);
      if (!entry.used) continue;
      this.#put(key, { ...entry, used: false });
      return false;
    }
    return true;
  }

  #put(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
