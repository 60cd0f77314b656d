import { randomUUID } from "node:crypto";
import { type FileHandle, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";

/**
 * Writes a file so that its readers find the old text or the new one, and a full disk leaves the old one. Links are
 * followed and the mode is kept. What is no file, such as a pipe, is written into.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const present = await ifThere(stat(path));
  if (present !== undefined && !present.isFile()) return writeFile(path, text);
  const target = (await ifThere(realpath(path))) ?? path;
  const beside = `${target}.${randomUUID()}.tmp`;
  try {
    const file = await open(beside, "wx");
    await fill(file, text, present?.mode).finally(() => file.close());
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function fill(file: FileHandle, text: string, mode: number | undefined): Promise<void> {
  if (mode !== undefined) await file.chmod(mode & 0o7777);
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
