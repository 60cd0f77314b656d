import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { messageOf } from "../message-of.js";
import type { Config } from "./config/config.js";
import type { Problem } from "./config/parse-file.js";

/** A warning when flags could not be kept in their folder: what the relay serves does not need it. */
export async function unwritableFolder(config: Config, cwd: string): Promise<readonly Problem[]> {
  const { dataFolder } = config.of("Wye");
  if (dataFolder === undefined) return [];
  const reason = await reasonAgainst(resolve(cwd, dataFolder));
  if (reason === undefined) return [];
  const at = config.originsOf("Wye", "dataFolder").join(", ");
  return [{ at, message: `flags will not be kept: ${reason}` }];
}

/** Why nothing can be written into a folder, or why it cannot be made. */
async function reasonAgainst(folder: string): Promise<string | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is no folder`;
    await access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const above = dirname(folder);
    const isMissing = (code === "ENOENT" || code === "ENOTDIR") && above !== folder;
    return isMissing ? reasonAgainst(above) : messageOf(error);
  }
}
