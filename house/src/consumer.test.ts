import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConsumer } from "./consumer.js";
import { plan } from "./plan.js";
import { packages, root, specifier } from "./workspace.js";

const pure = packages.flatMap(({ id, manifest }) =>
  (plan[id]?.pure ?? []).map((entry) => specifier(manifest.name, entry)),
);
const sizesFile = join(root, "house", "bundle-sizes.json");
/** How much a bundle may grow before somebody has to say that it is worth it. */
const allowedGrowth = 1.05;

let folder: string;
beforeAll(async () => {
  folder = await createConsumer();
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the size of a browser bundle (min + gzip)", () => {
  const sizes: Record<string, number> = {};
  const accepted: Readonly<Record<string, number>> = JSON.parse(readFileSync(sizesFile, "utf8"));
  const update = process.env.WYE_UPDATE_SIZES === "1";

  for (const name of pure) {
    test(`${name} has grown by at most 5 %`, async () => {
      const { outputFiles } = await build({
        stdin: { contents: `export * from ${JSON.stringify(name)};`, resolveDir: folder },
        bundle: true,
        minify: true,
        write: false,
        platform: "browser",
        format: "esm",
        target: "es2022",
      });
      const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).byteLength;
      sizes[name] = size;
      const limit = update ? size : Math.floor((accepted[name] ?? 0) * allowedGrowth);
      expect(size, "if it is worth it, accept the size: WYE_UPDATE_SIZES=1 npm test").toBeLessThanOrEqual(
        limit,
      );
    });
  }

  test("the table lists these bundles and no others", () => {
    if (update) writeFileSync(sizesFile, `${JSON.stringify(sizes, null, 2)}\n`);
    expect(Object.keys(JSON.parse(readFileSync(sizesFile, "utf8"))).sort()).toEqual([...pure].sort());
  });
});
