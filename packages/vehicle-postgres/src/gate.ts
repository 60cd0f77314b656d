/** A promise that others wait for and somebody settles, once. */
export class Gate {
  readonly passed: Promise<void>;
  open!: () => void;
  fail!: (reason: unknown) => void;

  constructor() {
    this.passed = new Promise((resolve, reject) => {
      this.open = resolve;
      this.fail = reject;
    });
    // Nobody has to wait.
    this.passed.catch(() => {});
  }
}
