import { isPlain, willClose } from "./downloads.js";
import type { RelayResponse } from "./relay-response.js";

/** Requests that are being answered: a relay that is closed waits for them, since who closes the server next cuts them off. */
export class InHand {
  #count = 0;
  #answered: () => void = () => {};

  /** A request is to be answered. */
  begin(): void {
    this.#count++;
  }

  /** Its answer has been sent, or cannot be. */
  end(): void {
    this.#count--;
    if (this.#count === 0) this.#answered();
  }

  /**
   * The same when its answer was given: what stands between may send it later, as compression does and what keeps a session first,
   * and HTTP/2 always does.
   */
  endWith(res: RelayResponse): void {
    if (isPlain(res) || res.writableFinished || !willClose(res)) {
      this.end();
      return;
    }
    let isOver = false;
    const over = () => {
      if (!isOver) this.end();
      isOver = true;
    };
    try {
      res.once("finish", over);
      res.once("close", over);
    } catch {
      // Who has put something around a response that cannot be listened to is not waited for.
      over();
    }
  }

  /** Waits for all of them, or until `deadline` resolves. */
  async close(deadline: Promise<void>): Promise<void> {
    if (this.#count === 0) return;
    const answered = new Promise<void>((resolve) => {
      this.#answered = resolve;
    });
    await Promise.race([deadline, answered]);
  }
}
