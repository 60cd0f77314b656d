/** Waits for the next reason to look, of which several at once are one. */
export class Occasions {
  #isDue = false;
  #wake: () => void = () => {};

  /** There is a reason to look. */
  raise = (): void => {
    this.#isDue = true;
    this.#wake();
  };

  /** Resolves when there is a reason or `ms` have passed, at once when there was a reason meanwhile; to whether there was one. */
  async next(ms: number): Promise<boolean> {
    if (!this.#isDue) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const wasDue = this.#isDue;
    this.#isDue = false;
    return wasDue;
  }
}
