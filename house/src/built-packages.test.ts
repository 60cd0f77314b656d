import { beforeAll, describe, expect, test } from "vitest";
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

for (const { manifest, specifiers } of packages) {
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
