import { openOwn, readAt } from "./own-file.js";

/** The last lines of a file, of at most so many bytes; the empty text when it cannot be read. */
export function logTail(
  path: string | undefined,
  { lines, bytes }: { readonly lines: number; readonly bytes: number },
): string {
  if (path === undefined) return "";
  try {
    const end = openOwn(path, (file, size) => readAt(file, Math.max(0, size - bytes), Math.min(size, bytes)));
    const text = new TextDecoder().decode(end).trimEnd();
    return text
      .split(/\r\n|\r|\n/)
      .slice(-lines)
      .join("\n");
  } catch {
    // A log is a help, and no part of the result: somebody may have removed it.
    return "";
  }
}
