import { resolve } from "node:path";
import { localPath } from "./local-path.js";

/**
 * The folder that an option of `runPipeline` names, as a path or as `file://`.
 *
 * @throws TypeError when it is none of this machine
 */
export function folderOption(name: string, value: string): string {
  const path = localPath(value);
  if (path) return resolve(path);
  throw new TypeError(
    `the option "${name}" of runPipeline is a folder on this machine, not ${JSON.stringify(value)}`,
  );
}
