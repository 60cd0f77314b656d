import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Removes a file or a folder, if it is there, with folders in it that programs have made read-only, such as their caches. */
export async function removeAll(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await openFolders(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function openFolders(path: string): Promise<void> {
  const found = await lstat(path);
  if (!found.isDirectory()) return;
  await chmod(path, found.mode | 0o700);
  for (const name of await readdir(path)) await openFolders(join(path, name));
}
