import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The last lines of a file, of at most so many bytes; the empty text when it cannot be read. */
export function logTail(
  path: string | undefined,
  { lines, bytes }: { readonly lines: number; readonly bytes: number },
): string {
  if (path === undefined) return "";
  try {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      const from = Math.max(0, size - bytes);
      const buffer = new Uint8Array(size - from);
      const length = readSync(file, buffer, 0, buffer.length, from);
      const text = new TextDecoder().decode(buffer.subarray(0, length)).trimEnd();
      return text
        .split(/\r\n|\r|\n/)
        .slice(-lines)
        .join("\n");
    } finally {
      closeSync(file);
    }
  } catch {
    // A log is a help, and no part of the result: somebody may have removed it.
    return "";
  }
}
