import { Gate } from "./gate.js";

/** A look at the database that somebody has asked for. */
export class Look extends Gate {
  /** The share that this look accepts in place of the option. */
  readonly leastShare: number | undefined;
  /** Whether the database has been tried since somebody asked. */
  isTried = false;

  constructor(leastShare: number | undefined) {
    super();
    this.leastShare = leastShare;
  }
}

/** The looks that are asked for and have not begun. Who asks for the same waits for the same one. */
export class Looks {
  #waiting: Look[] = [];
  /** Why no look is made any more. */
  #end: Error | undefined;

  /** Resolves when what is committed now has been looked at. */
  ask(leastShare: number | undefined): Promise<void> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    let look = this.#waiting.find((one) => one.leastShare === leastShare && !one.isTried);
    if (look === undefined) {
      look = new Look(leastShare);
      this.#waiting.push(look);
    }
    return look.passed;
  }

  /** The look that begins now. */
  next(): Look | undefined {
    return this.#waiting.shift();
  }

  /** The database is tried from now on, for all who wait. */
  try(): void {
    for (const look of this.#waiting) look.isTried = true;
  }

  get areWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** None is made any more. */
  end(reason: Error): void {
    this.#end = reason;
    this.try();
    this.fail(reason);
  }

  /**
   * What was tried has failed: what those looks were to accept is forgotten with them. Who has asked since waits for the next try.
   */
  fail(reason: unknown): void {
    const failed = this.#waiting.filter(({ isTried }) => isTried);
    this.#waiting = this.#waiting.filter(({ isTried }) => !isTried);
    for (const look of failed) look.fail(reason);
  }
}
