import { open, readFile, rm } from "node:fs/promises";
import type { Item } from "@wye/flag-evaluator";
import { digestOf, itemFromLine, printItem } from "./flag-file.js";

/** The layout below; another one is not read. */
const layout = 1;

/**
 * What has changed since a file of flags was written, in a file beside it that only grows: a line that names the file, then
 * an item on each, with a digest in front. A line that was not written to its end, by a process that ended or a disk that is
 * full, is where reading stops.
 */
export class ChangeLog {
  readonly #path: string;
  /** How long it has to be when it is as this process has left it; `undefined` when nobody knows. */
  #size: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** How long it is, as far as is known. */
  get size(): number {
    return this.#size ?? 0;
  }

  /** The items that follow on the file with that digest; none if what is there follows on another one. */
  async read(of: string, signal: AbortSignal): Promise<readonly Item[]> {
    const text = await readFile(this.#path, { encoding: "utf8", signal }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return "";
        throw error;
      },
    );
    const lines = text.split("\n");
    const items: Item[] = [];
    const [head, ...entries] = lines.slice(0, -1);
    this.#size = text === "" ? 0 : undefined;
    if (head !== headOf(of)) return items;
    for (const entry of entries) {
      const line = entry.slice(entry.indexOf(" ") + 1);
      const item = entry === `${shortDigest(line)} ${line}` ? itemFromLine(line) : undefined;
      if (item === undefined) return items;
      items.push(item);
    }
    // Behind half a line nothing can be added.
    if (lines.at(-1) === "") this.#size = Buffer.byteLength(text);
    return items;
  }

  /**
   * Adds items that follow on the file with that digest. Gives false, and adds nothing, when it is not as this process has
   * left it.
   */
  async add(items: readonly Item[], of: string, signal: AbortSignal): Promise<boolean> {
    const expected = this.#size;
    if (expected === undefined) return false;
    const entries = items.map(printItem).map((line) => `${shortDigest(line.slice(0, -1))} ${line}`);
    const text = Buffer.from((expected === 0 ? `${headOf(of)}\n` : "") + entries.join(""));
    const file = await open(this.#path, "a", 0o600);
    try {
      signal.throwIfAborted();
      this.#size = undefined;
      if ((await file.stat()).size !== expected) return false;
      await file.appendFile(text);
      await file.datasync();
      this.#size = expected + text.length;
      return true;
    } finally {
      await file.close();
    }
  }

  /** Removes it: all that it says stands in a new file. */
  async clear(): Promise<void> {
    this.#size = undefined;
    await rm(this.#path, { force: true });
    this.#size = 0;
  }
}

function headOf(of: string): string {
  return JSON.stringify({ layout, follows: of });
}

function shortDigest(line: string): string {
  return digestOf(line).slice(0, 16);
}
