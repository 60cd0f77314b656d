import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { write } from "./consumer.js";
import { root } from "./workspace.js";

const require = createRequire(import.meta.url);
const biome = join(dirname(require.resolve("@biomejs/biome/package.json")), "bin", "biome");

const joins = 'import { join } from "node:path";\n\nexport const a = join;\n';

/** What somebody might write: a path, a text, and the rule that must refuse it; no rule where it is fine. */
const attempts = [
  { rule: "noExplicitAny", path: "packages/relay/src/a.ts", text: "export const a: any = 1;" },
  { rule: "noDefaultExport", path: "packages/relay/src/a.ts", text: "export default 1;" },
  { rule: "noConsole", path: "packages/relay/src/a.ts", text: "console.log(1);" },
  { rule: "noProcessEnv", path: "packages/relay/src/a.ts", text: "export const a = process.env.HOME;" },
  { rule: "noEnum", path: "packages/relay/src/a.ts", text: "export enum A { B }" },
  {
    rule: "noNonNullAssertion",
    path: "packages/relay/src/a.ts",
    text: "export const a = (b?: string) => b!.length;",
  },
  { rule: "useFilenamingConvention", path: "packages/relay/src/someFile.ts", text: "export const a = 1;" },
  { rule: "useFilenamingConvention", path: "packages/relay/src/SomeFile.ts", text: "export const a = 1;" },
  { rule: "noFocusedTests", path: "packages/relay/src/a.test.ts", text: 'test.only("a", () => {});' },
  { rule: "noSkippedTests", path: "packages/relay/src/a.test.ts", text: 'test.skip("a", () => {});' },
  { rule: "noNodejsModules", path: "packages/flag-evaluator/src/a.ts", text: joins },
  {
    rule: "noNodejsModules",
    path: "packages/pipeline-spec/src/deep/a.ts",
    text: 'export { stat } from "fs";',
  },
  { rule: "noNodejsModules", path: "packages/vehicle-catalogue/src/client/a.ts", text: joins },
  { rule: "noNodejsModules", path: "packages/pipeline-runner/src/a.ts", text: joins },
  {
    rule: "noRestrictedGlobals",
    path: "packages/pipeline-spec/src/a.ts",
    text: 'export const a = Buffer.from("a");',
  },
  {
    rule: "noRestrictedGlobals",
    path: "packages/pipeline-resolver/src/a.ts",
    text: "export const a = process.version;",
  },
  {
    rule: "noRestrictedImports",
    path: "packages/pipeline-spec/src/a.ts",
    text: 'export { a } from "@wye/flag-evaluator";',
  },
  {
    rule: "noRestrictedImports",
    path: "packages/relay/src/a.ts",
    text: 'export { a } from "@wye/vehicle-catalogue/client";',
  },
  {
    rule: "noRestrictedImports",
    path: "packages/vehicle-catalogue/src/a.test.ts",
    text: 'export { a } from "@wye/relay";',
  },
  {
    rule: "noRestrictedImports",
    path: "packages/relay/src/a.ts",
    text: 'export { a } from "@wye/flag-evaluator/dist/a.js";',
  },
  {
    rule: "noUndeclaredDependencies",
    path: "packages/relay/src/a.ts",
    text: 'export { a } from "nobody-declared-this";',
  },
  { rule: undefined, path: "packages/relay/src/a.ts", text: joins },
  { rule: undefined, path: "packages/vehicle-catalogue/src/server/a.ts", text: joins },
  { rule: undefined, path: "packages/pipeline-runner/src/node/a.ts", text: joins },
  { rule: undefined, path: "packages/flag-evaluator/src/a.test.ts", text: joins },
].map((attempt, i) => ({ ...attempt, file: attempt.path.replace(/[^/]+$/, (name) => `case-${i}/${name}`) }));

const folder = mkdtempSync(join(tmpdir(), "wye-lint-"));
let broken: ReadonlyMap<string, readonly string[]>;
beforeAll(() => {
  for (const name of ["biome.json", ".gitignore"]) cpSync(join(root, name), join(folder, name));
  for (const { file, text } of attempts) write(folder, file, text);
  write(folder, "packages/relay/package.json", '{ "name": "@wye/relay" }');
  write(folder, "packages/relay/src/cycle/a.ts", 'export { b as a } from "./b.js";');
  write(folder, "packages/relay/src/cycle/b.ts", 'import { a } from "./a.js";\nexport const b = () => a;');
  broken = rulesBrokenBelow(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

for (const { rule, path, text, file } of attempts) {
  test(`${rule ?? "nothing"} refuses ${JSON.stringify(text)} in ${path}`, () =>
    expect(broken.get(file) ?? []).toEqual(rule ? expect.arrayContaining([rule]) : []));
}

test("noImportCycles refuses two files that import each other", () =>
  expect(broken.get("packages/relay/src/cycle/b.ts")).toContain("noImportCycles"));

/** The rules that lint finds broken, by file. */
function rulesBrokenBelow(cwd: string): Map<string, string[]> {
  const { stdout } = spawnSync(
    process.execPath,
    [biome, "lint", "--reporter=json", "--max-diagnostics=none"],
    {
      cwd,
      encoding: "utf8",
    },
  );
  // Biome's own report, of which these fields are read.
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { category: string; location: { path: string } }[];
  };
  const rules = new Map<string, string[]>();
  for (const { category, location } of diagnostics) {
    const rule = category.slice(category.lastIndexOf("/") + 1);
    rules.set(location.path, [...(rules.get(location.path) ?? []), rule]);
  }
  return rules;
}
