import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import {
  type FileHandle,
  lstat,
  open,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { overwriteFile } from "./overwrite-file.js";

/**
 * Writes a file so that its readers find the old text or the new one, and a full disk leaves the old one. Links are
 * followed; owner, group and mode are kept, lists of access beyond them are not. A file in whose place no other can be put that is
 * the same to its readers is overwritten, and what is no file, such as a pipe, is written into.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const present = await ifThere(stat(path));
  if (present !== undefined && !present.isFile()) return writeFile(path, text);
  const target = await targetOf(path);
  // Names have 255 bytes.
  const beside = join(dirname(target), `${basename(target).slice(0, 50)}.${randomUUID()}.tmp`);
  try {
    const file = await openLike(beside, present);
    if (file === undefined) return await overwriteFile(target, text);
    await fill(file, text).finally(() => file.close());
    await rename(beside, target).catch((error: unknown) => {
      if (present === undefined) throw error;
      // It is a mount of its own, or open on Windows.
      return overwriteFile(target, text);
    });
  } finally {
    await rm(beside, { force: true });
  }
}

/** Where the links lead, also when there is nothing yet. */
async function targetOf(path: string): Promise<string> {
  const there = await ifThere(realpath(path));
  if (there !== undefined) return there;
  const folder = await realpath(dirname(path));
  const name = join(folder, basename(path));
  const isLink = (await ifThere(lstat(name)))?.isSymbolicLink() === true;
  return isLink ? targetOf(resolve(folder, await readlink(name))) : name;
}

/** A new file for those who may use the present one; nothing where there can be none, or where others name the present one. */
async function openLike(path: string, present: Stats | undefined): Promise<FileHandle | undefined> {
  if (present === undefined) return open(path, "wx");
  if (present.nlink > 1) return undefined;
  let file: FileHandle | undefined;
  try {
    // Nobody else's before it is known whose it is.
    file = await open(path, "wx", 0o600);
    const { uid, gid } = await file.stat();
    if (uid !== present.uid || gid !== present.gid) await file.chown(present.uid, present.gid);
    await file.chmod(present.mode & 0o7777);
    return file;
  } catch {
    // A folder that takes no new files, or an owner whom only root can name: the present file may be open to us all the same.
    await file?.close();
    return undefined;
  }
}

async function fill(file: FileHandle, text: string): Promise<void> {
  await file.writeFile(text);
  await file.sync();
}

async function ifThere<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
