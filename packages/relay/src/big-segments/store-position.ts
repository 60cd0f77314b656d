import type { BigSegmentPatch } from "./big-segment-store.js";

const maxPassed = 1000;

/** Where a store of big segments stands, as far as one synchroniser knows. Others that write to it move it as well. */
export class StorePosition {
  #version: string | undefined;
  /** Where it has stood, for as long as it is known which steps have moved it: the latest versions, and not very many. */
  readonly #passed = new Set<string>();
  /** Where it had stood before it was found to have gone back. */
  #outlived: ReadonlySet<string | undefined> = new Set();

  /** Where a step leads that it should have taken and has not. */
  #lacking: string | undefined;

  /** Where the store was last seen to stand. */
  get version(): string | undefined {
    return this.#version;
  }

  /** Whether the store lacks steps: one that it could not take, or those that it had when it was emptied, or brought back to what it was. */
  get isBehind(): boolean {
    return this.#lacking !== undefined || this.#outlived.has(this.#version);
  }

  /** Where a step leads that is known and was not taken, nor by anybody else. */
  get lacking(): string | undefined {
    return this.#lacking;
  }

  /** A step leads there that was not taken. */
  noteLacking(version: string): void {
    this.#lacking = version;
  }

  /** Whether it has stood there. */
  hasPassed(version: string): boolean {
    return this.#passed.has(version);
  }

  /** Steps lead from these versions to where it stands. */
  notePassed(versions: readonly string[]): void {
    for (const version of versions) this.#pass(version);
  }

  /** It was moved by a step. */
  move(version: string | undefined): void {
    this.#version = version;
    if (version !== undefined) this.#pass(version);
    const [oldest] = this.#passed;
    if (this.#passed.size > maxPassed && oldest !== undefined) this.#passed.delete(oldest);
  }

  /** It was found there, after one of these steps perhaps; tells whether somebody else has moved it. */
  find(version: string | undefined, steps: readonly BigSegmentPatch[]): boolean {
    if (version === this.#version) return false;
    const taken = steps.slice(0, 1 + steps.findIndex((step) => step.version === version));
    if (taken[0]?.previousVersion === (this.#version ?? "")) {
      for (const step of taken) this.move(step.version);
      return true;
    }
    if (version === undefined || this.#passed.has(version)) {
      this.#passed.delete(this.#version ?? "");
      this.#outlived = new Set([undefined, ...this.#passed]);
    }
    this.#passed.clear();
    this.move(version);
    return true;
  }

  /** It has all that upstream has. */
  noteInStep(): void {
    this.#outlived = new Set();
    this.#lacking = undefined;
  }

  #pass(version: string): void {
    this.#passed.add(version);
    if (version === this.#lacking) this.#lacking = undefined;
  }
}
