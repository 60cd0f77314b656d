import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConsumer, write } from "./consumer.js";
import { plan } from "./plan.js";
import { run } from "./run.js";
import { packages, root, specifier } from "./workspace.js";

const all = packages.flatMap(({ specifiers }) => specifiers);
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

describe("a project outside the workspace", () => {
  const resolutions = [
    { name: "nodenext", compilerOptions: { module: "nodenext", moduleResolution: "nodenext" } },
    { name: "bundler", compilerOptions: { module: "esnext", moduleResolution: "bundler" } },
  ];
  for (const { name, compilerOptions } of resolutions) {
    test(`compiles against all types and runs, with moduleResolution ${name}`, {
      timeout: 300_000,
    }, async () => {
      write(folder, `${name}/main.ts`, program(all));
      const types = ["node"];
      expect(await compile(name, { ...compilerOptions, types })).toBe("");
      const { status, stdout, stderr } = await run(process.execPath, [`${name}/main.js`], { cwd: folder });
      expect(status, stderr).toBe(0);
      expect(stdout.trim().split("\n")).toEqual(all);
    });

    test(`needs no types of Node for what runs in a browser, with moduleResolution ${name}`, {
      timeout: 300_000,
    }, async () => {
      write(folder, `${name}-pure/main.ts`, program(pure));
      expect(await compile(`${name}-pure`, { ...compilerOptions, types: [] })).toBe("");
    });
  }
});

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

/** A program that imports everything and prints the names of the modules that gave it something. */
function program(names: readonly string[]): string {
  const imports = names.map((name, i) => `import * as m${i} from ${JSON.stringify(name)};`);
  const prints = names.map(
    (name, i) => `if (Object.keys(m${i}).length > 0) console.log(${JSON.stringify(name)});`,
  );
  return [...imports, ...prints, "export {};", ""].join("\n");
}

/** Compiles a folder of the project with the strictest settings a user may have, libraries checked too. */
async function compile(name: string, compilerOptions: object): Promise<string> {
  const options = {
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
  };
  write(
    folder,
    `${name}/tsconfig.json`,
    JSON.stringify({ compilerOptions: { ...options, ...compilerOptions }, files: ["main.ts"] }),
  );
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = await run(process.execPath, [tsc, "-p", name], { cwd: folder });
  return stdout;
}
