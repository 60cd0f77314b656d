import { closeSync, openSync, writeSync } from "node:fs";

/** So much of what an attempt prints is kept from its beginning, and so much of its end. */
const headBytes = 64 * 2 ** 20;
const tailBytes = 2 ** 20;

/** What an attempt prints, as a file of bounded size: the beginning and the end of it. */
export class LogFile {
  readonly #path: string;
  readonly #listen: (chunk: Uint8Array) => void;
  #file: number | undefined;
  #written = 0;
  #tail: Uint8Array[] = [];
  #tailLength = 0;
  #dropped = 0;

  constructor(path: string, listen: (chunk: Uint8Array) => void) {
    this.#path = path;
    this.#listen = listen;
  }

  readonly write = (chunk: Uint8Array | string): void => {
    const bytes = typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
    this.#listen(bytes);
    const head = bytes.subarray(0, Math.max(0, headBytes - this.#written));
    this.#append(head);
    if (head.length < bytes.length) this.#keepEnd(bytes.subarray(head.length));
  };

  /** Writes the end, and closes the file. An attempt that prints nothing leaves an empty one. */
  close(): void {
    if (this.#dropped > 0)
      this.#append(new TextEncoder().encode(`\n[${this.#dropped} bytes are left out here]\n`));
    for (const chunk of this.#tail) this.#append(chunk);
    this.#append(new Uint8Array());
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #append(bytes: Uint8Array): void {
    this.#file ??= openSync(this.#path, "w");
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    this.#written += bytes.length;
  }

  #keepEnd(bytes: Uint8Array): void {
    this.#tail.push(Uint8Array.from(bytes));
    this.#tailLength += bytes.length;
    for (
      let [first] = this.#tail;
      first !== undefined && this.#tailLength - first.length >= tailBytes;
      [first] = this.#tail
    ) {
      this.#tail.shift();
      this.#tailLength -= first.length;
      this.#dropped += first.length;
    }
  }
}
