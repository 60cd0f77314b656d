import { constants, open, stat } from "node:fs/promises";

interface FileStats {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  isFile(): boolean;
}

/**
 * Changes whenever a file does, however that came about, and costs no reading: the time of the last change of the inode is
 * set by the system alone. Links are followed, those of folders too.
 */
export async function stampOfFile(path: string): Promise<string> {
  return stampOf(await stat(path, { bigint: true }));
}

/** Reads a file whole, with its stamp. Rejects when it is no file, is larger than that, or changes while it is read. */
export async function readSteadyFile(
  path: string,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly stamp: string }> {
  // A pipe would be waited for until somebody writes to it.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const before = await handle.stat({ bigint: true });
    const stamp = stampOf(before);
    if (before.size > BigInt(maxBytes))
      throw new Error(`it has ${before.size} bytes, and maxBytes is ${maxBytes}`);
    const bytes = await handle.readFile();
    const after = stampOf(await handle.stat({ bigint: true }));
    if (stamp !== after) throw new Error("it was changed while it was read");
    return { bytes, stamp };
  } finally {
    await handle.close();
  }
}

function stampOf(stats: FileStats): string {
  if (!stats.isFile()) throw new Error("it is no regular file");
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
}
