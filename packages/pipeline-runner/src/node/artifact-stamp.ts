import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { localPath } from "./local-path.js";

/** So many files of a folder are looked at, those that come first by name. */
const maxFiles = 10_000;

/**
 * What tells whether something behind a URI has changed on this machine: sizes and times, of a folder those of all that is in it. What is
 * elsewhere is taken to stay as it is. Undefined when nothing is there.
 */
export async function artifactStamp(uri: string): Promise<string | undefined> {
  const path = localPath(uri);
  if (path === undefined || path === "") return "elsewhere";
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return stampOf(found);
    const hash = createHash("sha256");
    const names = (await readdir(path, { recursive: true })).sort().slice(0, maxFiles);
    for (const name of names) hash.update(`${name}\0${stampOf(await lstat(join(path, name)))}\0`);
    return hash.digest("hex");
  } catch {
    // Gone, or gone while it was looked at.
    return undefined;
  }
}

/** The times of folders change with what tools leave behind in them, such as their own caches. */
const stampOf = (found: Stats): string => (found.isDirectory() ? "folder" : `${found.size} ${found.mtimeMs}`);
