import type { LoadedConfig } from "../config/load-config.js";
import type { Member } from "./crew.js";

/** A configuration, and the text that workers read it from. */
type Shared = Pick<LoadedConfig, "config" | "text">;

/**
 * The configuration file as all workers have it: as it was at the start, and then as it was when the program was last asked to read it
 * again and could use it. One that takes the place of another needs both: what only a restart changes is as it was at the start, the
 * environments are those that the others have. It is not told what has been written since.
 */
export class SharedConfiguration {
  readonly #first: Shared;
  #current: Shared;
  #edition = 0;

  constructor(first: Shared) {
    this.#first = this.#current = first;
  }

  replace(next: Shared): void {
    this.#current = next;
    this.#edition++;
  }

  /** How long workers take to end, at most. */
  get drainTimeout(): number {
    return Math.max(this.#current.config.of("Wye").drainTimeout, 0);
  }

  /** Gives a worker the file whenever it wants to read it, the first one first, until the returned function is called. */
  attach(member: Member): () => void {
    let given: number | undefined;
    return member.listen(({ type }) => {
      if (type === "configure") {
        const { text } = given === undefined ? this.#first : this.#current;
        given = given === undefined ? 0 : this.#edition;
        member.send({ type: "configuration", text });
      }
      // It may not have heard, before it listened, that there is another one.
      if (type === "serving" && given !== this.#edition) member.send({ type: "reload" });
    });
  }
}
