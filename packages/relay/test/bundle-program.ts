import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { onTestFinished } from "vitest";

/** Makes one file of a program that uses the sources of this package; it is there until the test ends. */
export async function bundleProgram(
  contents: string,
  resolveDir: string = import.meta.dirname,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "relay-program-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "program.mjs");
  await build({
    stdin: { contents, loader: "ts", resolveDir },
    alias: { "@wye/relay": join(import.meta.dirname, "../src/index.ts") },
    // Packages of the CommonJS kind ask for Node's own modules with it.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire("/");' },
    bundle: true,
    format: "esm",
    platform: "node",
    outfile: file,
  });
  return file;
}
