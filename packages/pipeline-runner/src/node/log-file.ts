import { closeSync, openSync, rmSync, writeSync } from "node:fs";

/** So much of what an attempt prints is kept from its beginning, and so much of its end. */
const headBytes = 64 * 2 ** 20;
const tailBytes = 2 ** 20;

/** Who hears of a log. */
export interface LogListener {
  /** All that is written, as it comes. */
  readonly onChunk: (chunk: Uint8Array) => void;
  /** Why nothing more is kept, as on a full disk. What writes does not stop for it. */
  readonly onProblem: (message: string) => void;
}

/** What an earlier attempt has left there may be a pipe, which waits for a reader, or a link to any file. */
function openNew(path: string): number {
  rmSync(path, { force: true });
  return openSync(path, "wx");
}

/** What an attempt prints, as a file of bounded size: the beginning and the end of it. It never throws. */
export class LogFile {
  readonly #path: string;
  readonly #listener: LogListener;
  #file: number | undefined;
  #state: "open" | "broken" | "closed" = "open";
  #written = 0;
  #tail: Uint8Array[] = [];
  #tailLength = 0;
  #dropped = 0;

  constructor(path: string, listener: LogListener) {
    this.#path = path;
    this.#listener = listener;
    // Before the task begins, which may put something else there.
    this.#append(new Uint8Array());
  }

  readonly write = (chunk: Uint8Array | string): void => {
    if (this.#state === "closed") return;
    const bytes = chunk instanceof Uint8Array ? chunk : new TextEncoder().encode(String(chunk));
    this.#listener.onChunk(bytes);
    const head = bytes.subarray(0, Math.max(0, headBytes - this.#written));
    this.#append(head);
    if (head.length < bytes.length) this.#keepEnd(bytes.subarray(head.length));
  };

  /** Writes the end, and closes the file: what comes later is lost. */
  close(): void {
    if (this.#dropped > 0)
      this.#append(new TextEncoder().encode(`\n[${this.#dropped} bytes are left out here]\n`));
    for (const chunk of this.#tail) this.#append(chunk);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#tail = [];
    this.#state = "closed";
  }

  #append(bytes: Uint8Array): void {
    if (this.#state !== "open") return;
    try {
      this.#file ??= openNew(this.#path);
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
      this.#written += bytes.length;
    } catch (error) {
      this.#state = "broken";
      const reason = error instanceof Error ? error.message : String(error);
      this.#listener.onProblem(`the log ${this.#path} is not complete: ${reason}`);
    }
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
