// The files of the built site, and the addresses that they have.
import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The paths of all files below a folder, each with a slash at its beginning.
 * @param {string} folder where the site was built
 * @returns {Set<string>}
 */
export function siteFiles(folder) {
  return new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll("\\", "/")),
  );
}

/**
 * The file that a server of clean addresses answers with.
 * @param {Set<string>} files
 * @param {string} path of an address, without escapes
 */
export function fileAt(files, path) {
  return [path.endsWith("/") ? `${path}index.html` : path, `${path}.html`].find((file) => files.has(file));
}
