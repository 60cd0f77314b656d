import type { RetryEvent } from "@wye/pipeline-client";
import { printable } from "../../printable.js";

/** Twice may be a hiccup. */
const leastAttempts = 3;
const pauseMs = 60_000;

/** Tells whoever waits for a server that it does not answer: not of each attempt, and at most once in a minute. */
export class Outage {
  #tell: (line: string) => void = () => {};
  #toldAt = Number.NEGATIVE_INFINITY;

  /** From now on lines go there. */
  set listener(tell: (line: string) => void) {
    this.#tell = tell;
  }

  readonly take = ({ attempt, error }: RetryEvent): void => {
    const now = performance.now();
    if (attempt < leastAttempts || now - this.#toldAt < pauseMs) return;
    this.#toldAt = now;
    this.#tell(`wye: ${printable(error.message)}; trying again\n`);
  };
}
