import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, with those around it that are not there. Node's own way asks without end where a folder is there and says of what is made
 * in it that there is none, as `/proc` does, and homes that are mounted when they are asked for.
 *
 * @param path  an absolute one
 */
export function makeFolders(path: string): void {
  const missing: string[] = [];
  let around = path;
  for (; !existsSync(around); around = dirname(around)) missing.push(around);
  if (!statSync(around).isDirectory()) {
    throw Object.assign(new Error(`ENOTDIR: ${around} is no folder`), { code: "ENOTDIR" });
  }
  for (const one of missing.reverse()) {
    try {
      mkdirSync(one);
    } catch (error) {
      // Others may have made it meanwhile.
      if (!statSync(one, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
}
