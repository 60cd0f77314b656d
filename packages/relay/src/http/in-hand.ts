/** Requests that are being answered: a relay that is closed waits for them, since who closes the server next cuts them off. */
export class InHand {
  #count = 0;
  #answered: () => void = () => {};

  /** Counts a request until its answer has been sent, or cannot be. */
  async until(answered: Promise<void>): Promise<void> {
    this.#count++;
    try {
      await answered;
    } finally {
      this.#count--;
      if (this.#count === 0) this.#answered();
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
