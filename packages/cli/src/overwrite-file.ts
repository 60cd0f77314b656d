import { type FileHandle, open } from "node:fs/promises";
import { messageOf } from "./message-of.js";

/** Writes over the text of a file, which stays the same file. When that fails half-way, the old text is written back. */
export async function overwriteFile(path: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const file = await open(path, "r+");
  try {
    const before = await file.readFile();
    await put(file, bytes).catch(async (error: unknown) => {
      await put(file, before).catch((cause: unknown) => {
        const message = `${messageOf(error)}; its old text could not be written back, and it is damaged`;
        throw new Error(message, { cause });
      });
      throw error;
    });
  } finally {
    await file.close();
  }
}

/** What lies beyond the present end comes first: where there is no room for it, nothing was written over yet. */
async function put(file: FileHandle, bytes: Uint8Array): Promise<void> {
  const { size } = await file.stat();
  await writeAt(file, bytes.subarray(size), size);
  await writeAt(file, bytes.subarray(0, size), 0);
  await file.truncate(bytes.length);
  await file.sync();
}

async function writeAt(file: FileHandle, bytes: Uint8Array, start: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    at += (await file.write(bytes, at, bytes.length - at, start + at)).bytesWritten;
  }
}
