import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it, if they are not there. Node's own way tries again for ever where nothing can be made,
 * such as below `/proc`.
 */
export async function makeDirectory(path: string): Promise<void> {
  if (await isDirectory(path)) return;
  const above = dirname(path);
  if (above !== path) await makeDirectory(above);
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    // Somebody else may have made it in the meantime.
    if (error.code !== "EEXIST") throw error;
  });
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}
