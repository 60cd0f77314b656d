import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of a URI on this machine: a path as it is, `file:///` and `file:/` as a path; undefined for all other schemes. */
export function localPath(uri: string): string | undefined {
  if (/^file:\/(?!\/$)/i.test(uri)) {
    try {
      return fileURLToPath(uri);
    } catch {
      return undefined;
    }
  }
  return schemeOf(uri) === "" ? uri : undefined;
}

/** What is wrong with a `file:` URI that is no path of this machine; undefined for all others. */
export function foreignFile(uri: string): string | undefined {
  if (localPath(uri) !== undefined || schemeOf(uri) !== "file") return undefined;
  const [, machine = ""] = /^file:\/\/([^/]*)/i.exec(uri) ?? [];
  const why = machine === "" ? "is no path" : `names the machine ${machine}`;
  return `${uri} ${why}: a path of this machine is file:///…`;
}

/** The scheme of a URI, in lower case; empty for a path. */
export function schemeOf(uri: string): string {
  return /^(file(?=:)|[a-z][a-z0-9+.-]*(?=:\/\/))/i.exec(uri)?.[0].toLowerCase() ?? "";
}

/** Whether a path is that of a folder or of something in it, as it is written: links are not followed. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
