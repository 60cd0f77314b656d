import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { npm, run } from "./run.js";
import { packages, root } from "./workspace.js";

interface Packed {
  readonly name: string;
  readonly files: readonly { readonly path: string }[];
}

/** What npm would put into the tarballs, said by one npm for all of them. */
let packed: readonly Packed[];

beforeAll(async () => {
  const folders = packages.map(({ folder }) => folder);
  const { status, stdout, stderr } = await npm(
    ["pack", "--dry-run", "--json", "--ignore-scripts", ...folders],
    root,
  );
  expect(status, stderr).toBe(0);
  packed = JSON.parse(stdout);
});

for (const { folder, manifest, specifiers } of packages) {
  describe(`${manifest.name}, built`, () => {
    test("is packed as dist, README, licences and CHANGELOG and nothing else", () => {
      const found = packed.filter(({ name }) => name === manifest.name);
      expect(found).toHaveLength(1);
      const paths = found.flatMap(({ files }) => files.map(({ path }) => path));
      expect(
        paths.filter(
          (path) => !/^(dist\/.+|README\.md|LICENSE(-.+\.txt)?|CHANGELOG\.md|package\.json)$/.test(path),
        ),
      ).toEqual([]);
      expect(paths).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
      expect(paths.some((path) => /\.(test|bench)\./.test(path) || path.includes("testdata"))).toBe(false);
    });

    test("names and licenses what of others is built in", () => {
      const dist = join(folder, "dist");
      const licences = existsSync(join(dist, "LICENSES.txt"))
        ? readFileSync(join(dist, "LICENSES.txt"), "utf8")
        : "";
      const named = Array.from(licences.matchAll(/^(\S+) [\d.]+: \S/gm), ([, name]) => name);
      const built = readdirSync(dist, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".js"))
        .flatMap((file) => [
          ...readFileSync(join(dist, file), "utf8").matchAll(
            /^ *\/\/ (?:\.\.\/)*node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm,
          ),
        ]);
      expect(named).toEqual([...new Set(built.map(([, name]) => name))].sort());
    });

    for (const name of specifiers) {
      test(`${name} can be imported and required by its name under plain Node`, async () => {
        const program = `
          import { createRequire } from "node:module";
          const imported = await import(${JSON.stringify(name)});
          const required = createRequire(import.meta.url)(${JSON.stringify(name)});
          const names = Object.keys(imported);
          if (names.includes("default")) throw new Error("has a default export");
          if (names.some((name) => imported[name] !== required[name])) throw new Error("require gives something else");
          console.log(names.length);`;
        const args = ["--no-warnings", "--input-type=module", "--eval", program];
        const { status, stdout, stderr } = await run(process.execPath, args, { cwd: `${root}/house` });
        expect(status, stderr).toBe(0);
        expect(stderr).toBe("");
        expect(Number(stdout)).toBeGreaterThan(0);
      });
    }
  });
}

test("the program checks pipelines with nothing but its own files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wye-alone-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ["dist", "package.json"])
    cpSync(join(root, "packages/cli", part), join(folder, "wye", part), { recursive: true });
  const texts = { yaml: "pipelineInfo:\n  nmae: x\n", json: '{ "pipelineInfo": { "nmae": "x" } }' };
  for (const [end, text] of Object.entries(texts)) writeFileSync(join(folder, `a.${end}`), text);
  const args = [join(folder, "wye/dist/main.js"), "pipeline", "check", "a.json", "*.yaml"];
  const { status, stdout, stderr } = await run(process.execPath, args, { cwd: folder });
  expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
  expect(stdout).toMatch(/a\.json:1:.*a\.yaml:2:/s);
});
