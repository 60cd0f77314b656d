import { createHash, randomUUID } from "node:crypto";
import { closeSync, constants, openSync, type PathLike, type Stats } from "node:fs";
import { readdir, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "@wye/pipeline-spec";
import { localPath } from "./local-path.js";
import { readAt } from "./own-file.js";

/** So many files of a folder are looked at. Of one with more nobody knows that it has stayed as it was. */
const usualMost = 100_000;

/** So many are looked at side by side, which takes a fourth of the time. */
const atOnce = 64;

/**
 * Of files up to this size what is in them counts as well: a clock may be too coarse for two tasks that write one after the other, and times
 * may be set, as unpacking and copying do. Larger ones would take as long to read as what was made of them.
 */
const smallBytes = 64 * 1024;

/**
 * What tells whether something behind a URI has changed on this machine: sizes, times and what is in small files, of a folder those of all
 * that is in it, also behind links. What is elsewhere is taken to stay as it is, and what cannot be looked at never does. Undefined when nothing is there.
 */
export async function artifactStamp(uri: string, maxFiles: number = usualMost): Promise<string | undefined> {
  const path = localPath(uri);
  if (path === undefined || path === "") return "elsewhere";
  try {
    const found = await stat(path);
    return found.isDirectory() ? await folderStamp(path, maxFiles) : stampOf(path, found);
  } catch (error) {
    // What may not be looked at may be another one each time.
    return isAbsence(error) ? undefined : randomUUID();
  }
}

/** Gone, or gone while it was looked at. */
const isAbsence = (error: unknown): boolean =>
  isObject(error) && (error.code === "ENOENT" || error.code === "ENOTDIR");

async function folderStamp(root: string, maxFiles: number): Promise<string> {
  const hash = createHash("sha256");
  const seen = new Set<string>();
  // A stack, whose next one is last: folders may be nested deeper than functions can call themselves.
  const open = [""];
  for (let files = -1; open.length > 0; ) {
    const names = open.splice(-atOnce);
    files += names.length;
    if (files > maxFiles) return randomUUID();
    for (const { name, path, target, found } of await Promise.all(names.map((name) => look(root, name)))) {
      hash.update(`${name}\0${target}\0${found === undefined ? "nothing" : stampOf(path, found)}\0`);
      if (!found?.isDirectory()) continue;
      // Links may lead back to where they are.
      const identity = `${found.dev} ${found.ino}`;
      if (seen.has(identity)) continue;
      seen.add(identity);
      for (const one of (await readdir(path, { encoding: "latin1" })).sort()) open.push(join(name, one));
    }
  }
  return hash.digest("hex");
}

async function look(root: string, name: string) {
  const path = pathOf(root, name);
  const [found, target] = await Promise.all([
    stat(path).catch(() => undefined),
    readlink(path, { encoding: "latin1" }).catch(() => ""),
  ]);
  return { name, path, target, found };
}

/** The path of a name in a folder. A name is bytes, whatever they mean: here each is a character. */
const pathOf = (root: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(join(root, "/")), Buffer.from(name, "latin1")]);

/** The times of folders change with what tools leave behind in them, such as their own caches. */
function stampOf(path: PathLike, found: Stats): string {
  if (found.isDirectory()) return "folder";
  const content = found.isFile() && found.size <= smallBytes ? contentOf(path, found.size) : "";
  return `${found.size} ${found.mtimeMs} ${content}`;
}

/** What is in a small file. Tasks cannot read either what is not to be read, or gone meanwhile. */
function contentOf(path: PathLike, size: number): string {
  // Links may lead to files of the system that say they are empty, and wait for news.
  if (size === 0) return "";
  try {
    // So little is read at once in a tenth of the time that promises take. A pipe may be there by now: it is not waited for.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return createHash("sha256")
        .update(readAt(file, 0, size))
        .digest("base64");
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
