// Builds an example with a page, called by the build.mjs of each.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";

/**
 * Bundles the server for Node into dist/, and the page, with the built packages in it, for browsers into dist/public/.
 *
 * @param {{ server: string[], page: Record<string, string>, copies: Record<string, string> }} parts  entry points of the
 * server; entry points of the page by the names of what is built; files and folders by where they are copied to
 */
export async function buildPage({ server, page, copies }) {
  rmSync("dist", { recursive: true, force: true });
  await build({
    entryPoints: server,
    outdir: "dist",
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: true,
  });
  await build({
    entryPoints: page,
    outdir: "dist/public",
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
  });
  for (const [to, from] of Object.entries(copies)) cpSync(from, `dist/public/${to}`, { recursive: true });
  packAll("dist/public");
}

/** Less than this is not worth a second file. */
const leastBytes = 2048;

/** Puts a packed copy beside each file that gets much smaller. Pages of HTML are completed when they are served. */
function packAll(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith(".html")) continue;
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    if (content.length < leastBytes) continue;
    const packed = brotliCompressSync(content);
    if (packed.length < content.length * 0.8) writeFileSync(`${file}.br`, packed);
  }
}
