import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { plan } from "./plan.js";
import { manifestOf, packages, root } from "./workspace.js";

const rootManifest = manifestOf(root);
const licence = readFileSync(join(root, "LICENSE"), "utf8");

test("the house depends on every package, so that all are built before it looks", () => {
  const house = manifestOf(join(root, "house"));
  expect(
    Object.keys(house.devDependencies ?? {})
      .filter((name) => name.startsWith("@wye/"))
      .sort(),
  ).toEqual(packages.map(({ manifest }) => manifest.name).sort());
});

test("mistakes are made on purpose in every package", () => {
  const workflow = readFileSync(join(root, ".github", "workflows", "mutation.yml"), "utf8");
  const named = Array.from(
    workflow.matchAll(/^ {10}- { package: ([a-z-]+), oneIn: \d+ }$/gm),
    ([, id]) => id,
  );
  expect(named.sort()).toEqual(packages.map(({ id }) => id).sort());
});

for (const { id, folder, manifest } of packages) {
  describe(manifest.name, () => {
    test("is named after its folder and has a place in the plan", () => {
      expect(manifest.name).toBe(`@wye/${id}`);
      expect(Object.keys(plan)).toContain(id);
    });

    test("tells npm what it is", () => {
      expect(manifest.description).toMatch(/^[A-Z].{10,120}[^.]$/);
      expect(manifest.keywords?.length).toBeGreaterThanOrEqual(3);
      expect(manifest.license).toBe("MIT");
      const repository = "https://github.com/wye/wye";
      expect(manifest.homepage).toBe(`${repository}/tree/main/packages/${id}#readme`);
      expect(manifest.bugs).toBe(`${repository}/issues`);
      expect(manifest.repository).toEqual({ ...rootManifest.repository, directory: `packages/${id}` });
    });

    test("is ESM for the supported Nodes and can be shaken", () => {
      expect(manifest.type).toBe("module");
      expect(manifest.engines).toEqual(rootManifest.engines);
      expect(manifest.sideEffects).toBe(false);
    });

    test("has types for every entry point, and shows its manifest", () => {
      const { "./package.json": own, ...entries } = manifest.exports ?? {};
      expect(own).toBe("./package.json");
      expect(Object.keys(entries).length).toBeGreaterThan(0);
      for (const [entry, target] of Object.entries(entries)) {
        expect(Object.keys(target as object), entry).toEqual(["types", "default"]);
        for (const file of Object.values(target as Record<string, string>)) {
          expect(existsSync(join(folder, file)), file).toBe(true);
        }
      }
    });

    test("has the same scripts as its neighbours", () => {
      expect(manifest.scripts).toMatchObject({
        build: expect.stringContaining("tsup"),
        typecheck: "tsc",
        test: "vitest run --config ../../vitest.package.config.ts --root .",
        check: expect.stringContaining("publint --strict && attw --pack . --profile esm-only"),
      });
    });

    test("depends only on what the directions allow", () => {
      const dependencies = {
        ...manifest.dependencies,
        ...manifest.devDependencies,
        ...manifest.peerDependencies,
      };
      const own = Object.keys(dependencies).filter((name) => name.startsWith("@wye/"));
      const allowed = plan[id]?.mayImport.map((name) => `@wye/${name}`) ?? [];
      expect(own.filter((name) => !allowed.includes(name))).toEqual([]);
    });

    test("carries the licence of the repository", () => {
      expect(readFileSync(join(folder, "LICENSE"), "utf8")).toBe(licence);
    });

    test("has a README that starts with one sentence and shows a complete example within 30 lines", () => {
      const lines = readFileSync(join(folder, "README.md"), "utf8").split("\n");
      expect(lines[0]).toBe(`# ${manifest.name}`);
      expect(lines[1]).toBe("");
      const paragraph = lines.slice(2, lines.indexOf("", 2)).join(" ");
      expect(paragraph).toMatch(/^[A-Z`].*\.$/);
      expect(paragraph.match(/[.!?](\s|$)/g)).toHaveLength(1);
      // A program is used from a shell.
      const [language, use] =
        manifest.bin === undefined ? ["ts", `from "${manifest.name}`] : ["sh", `npx ${manifest.name} `];
      const opening = lines.findIndex((line) => line.startsWith(`\`\`\`${language}`));
      expect(opening).toBeGreaterThan(0);
      const closing = lines.indexOf("```", opening);
      expect(closing).toBeLessThan(30);
      expect(lines.slice(opening, closing).join("\n")).toContain(use);
    });
  });
}
