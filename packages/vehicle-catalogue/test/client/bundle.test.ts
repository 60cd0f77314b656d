import { gzipSync } from "node:zlib";
import { type BuildResult, build } from "esbuild";
import { describe, expect, test } from "vitest";

const bundled: BuildResult<{ metafile: true; write: false }> = await build({
  entryPoints: [new URL("../../src/client/index.ts", import.meta.url).pathname],
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  target: "es2022",
  metafile: true,
  write: false,
});
const [file] = bundled.outputFiles;

describe("the client as a browser gets it", () => {
  test("is at most 6,650 bytes with gzip", () => {
    expect(gzipSync(file!.contents, { level: 9 }).length).toBeLessThanOrEqual(6650);
  });

  test("needs nothing from outside, neither Node nor a package", () => {
    const inputs = Object.entries(bundled.metafile.inputs);
    expect(inputs.flatMap(([, { imports }]) => imports.filter(({ external }) => external))).toEqual([]);
    expect(
      inputs.map(([path]) => path).filter((path) => !/(^|\/)src\/(client\/)?[a-z-]+\.ts$/.test(path)),
    ).toEqual([]);
  });

  test("takes nothing of the attribute tables along, only their types", () => {
    expect(file!.text).not.toContain("usable_battery_size");
  });

  test("names no global of Node", () => {
    expect(file!.text).not.toMatch(/\b(Buffer|process|require|__dirname|setImmediate)\b/);
  });
});
