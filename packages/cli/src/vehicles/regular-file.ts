import { stat } from "node:fs/promises";

/** Whether a path is that of a file: a pipe, such as `<(…)` of a shell, gives what it has once. */
export async function isRegularFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
