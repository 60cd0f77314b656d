import { crc32 } from "node:zlib";

/** What a line with a sum ends with: the last member of its object. */
const ending = /^,"sum":"([\da-f]{8})"\}$/;
const endingLength = `,"sum":"00000000"}`.length;

/** Puts into lines, which are objects as JSON, a sum of each with all before it: what is changed, lost, doubled or exchanged in the middle shows. */
export class LineSeal {
  #sum = 0;

  /** The line with its sum. */
  seal(line: string): string {
    this.#sum = crc32(line, this.#sum);
    return `${line.slice(0, -1)},"sum":"${hex(this.#sum)}"}`;
  }

  /** Follows a line that has its sum, and gives it without; undefined when it is not the one that was written there. */
  open(sealed: string): string | undefined {
    const sum = sumOf(sealed);
    if (sum === undefined) return undefined;
    const line = `${sealed.slice(0, -endingLength)}}`;
    this.#sum = crc32(line, this.#sum);
    return sum === hex(this.#sum) ? line : undefined;
  }
}

/** Whether a line has a sum. */
export const isSealed = (line: string): boolean => sumOf(line) !== undefined;

const sumOf = (line: string): string | undefined => ending.exec(line.slice(-endingLength))?.[1];
const hex = (sum: number): string => sum.toString(16).padStart(8, "0");
