import type { FileText } from "../config/load-config.js";
import type { Member } from "./crew.js";

/**
 * The configuration file as all workers have it: as it was at the start, or when the program was last asked to read it again
 * and could use it. One that takes the place of another is not told what has been written since.
 */
export class SharedConfiguration {
  #text: FileText;
  #edition = 0;

  constructor(text: FileText) {
    this.#text = text;
  }

  replace(text: FileText): void {
    this.#text = text;
    this.#edition++;
  }

  /** Gives a worker the file whenever it wants to read it, until the returned function is called. */
  attach(member: Member): () => void {
    let given = this.#edition;
    return member.listen(({ type }) => {
      if (type === "configure") {
        given = this.#edition;
        member.send({ type: "configuration", text: this.#text });
      }
      // It may not have heard, before it listened, that there is another one.
      if (type === "serving" && given !== this.#edition) member.send({ type: "reload" });
    });
  }
}
