import { Gate } from "./gate.js";

/** A look at the database that somebody has asked for. */
export class Look extends Gate {
  /** The share that this look accepts in place of the option. */
  readonly leastShare: number | undefined;

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
    let look = this.#waiting.find((one) => one.leastShare === leastShare);
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

  get areWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** None is made any more. */
  end(reason: Error): void {
    this.#end = reason;
    this.fail(reason);
  }

  /** None of them is made: what it was to accept is forgotten with it. */
  fail(reason: unknown): void {
    const failed = this.#waiting;
    this.#waiting = [];
    for (const look of failed) look.fail(reason);
  }
}
