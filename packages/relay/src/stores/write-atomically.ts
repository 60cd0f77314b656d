import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file so that whoever reads it, now or after a crash, finds the old contents or the new ones. What exists under
 * its name is replaced, not followed. Has no effect when the signal is aborted before the end. Gives what the file system
 * says of the new file.
 */
export async function writeAtomically(
  path: string,
  pieces: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<Stats> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  let written: Stats;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      for (const piece of pieces) await file.writeFile(piece, { signal });
      await file.sync();
      written = await file.stat();
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
  return written;
}

/** Makes the new name outlive a loss of power, where directories can be synchronised. */
async function syncDirectory(path: string): Promise<void> {
  try {
    const directory = await open(path, "r");
    await directory.sync().finally(() => directory.close());
  } catch {
    // Windows opens no directories; the file itself is there.
  }
}
