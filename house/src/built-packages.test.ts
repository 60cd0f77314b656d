import { describe, expect, test } from "vitest";
import { npm, run } from "./run.js";
import { packages, root } from "./workspace.js";

for (const { folder, manifest, specifiers } of packages) {
  describe(`${manifest.name}, built`, () => {
    test("is packed as dist, README, licences and CHANGELOG and nothing else", async () => {
      const { status, stdout, stderr } = await npm(
        ["pack", "--dry-run", "--json", "--ignore-scripts"],
        folder,
      );
      expect(status, stderr).toBe(0);
      const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
      const paths = files.map(({ path }) => path);
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
