import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, sep } from "node:path";

/** Opening a pipe waits for whoever writes into it, and a link leads anywhere: neither is done. */
const readOnly = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * Opens a file that a task may have left, for as long as `use` reads of it. A task may be shut into a container and leave a link to a file
 * of this machine: what leads out of the folder of the file is not opened.
 *
 * @returns undefined when there is nothing
 * @throws when it is no file, or is elsewhere
 */
export function openOwn<T>(path: string, use: (file: number, size: number) => T): T | undefined {
  const real = realPath(path);
  if (real === undefined) return undefined;
  if (!isOwn(path)) throw new Error(`is a link out of its folder: ${path}`);
  const file = openSync(real, readOnly);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new Error(`is no file: ${path}`);
    return use(file, found.size);
  } finally {
    closeSync(file);
  }
}

/** The bytes of an open file from a place on, as many as there are up to a length. */
export function readAt(file: number, from: number, length: number): Uint8Array {
  const buffer = new Uint8Array(length);
  let read = 0;
  while (read < length) {
    const more = readSync(file, buffer, read, length - read, from + read);
    if (more === 0) break;
    read += more;
  }
  return buffer.subarray(0, read);
}

/** Whether what is at a path, if anything, is in the folder that the path says, and no link to another. */
export function isOwn(path: string): boolean {
  const real = realPath(path);
  return real === undefined || real.startsWith(`${realPath(dirname(path))}${sep}`);
}

/** Whether what is at a path, if anything, is a folder or in it, wherever the links on the way lead. */
export function isWithin(path: string, folder: string): boolean {
  const real = realPath(path);
  return real === undefined || `${real}${sep}`.startsWith(`${realPath(folder)}${sep}`);
}

/** Where a path leads; undefined when nothing is there. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
