import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * How a log of SARIF names a file: services look for it from the root of the repository. Without a repository that is this folder, and
 * what is elsewhere has its whole address.
 */
export function sarifFile(name: string, cwd: string): string {
  if (name.startsWith("<stdin>")) return name;
  const path = resolve(cwd, name);
  const local = relative(repositoryOf(cwd) ?? cwd, path);
  const isElsewhere = isAbsolute(local) || local === ".." || local.startsWith(`..${sep}`);
  return isElsewhere ? pathToFileURL(path).href : local;
}

function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
}
