import { readFile } from "node:fs/promises";

/** The text of a file, without the byte order mark that editors of Windows begin it with. */
export async function readText(path: string): Promise<string> {
  return new TextDecoder().decode(await readFile(path));
}
