import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { built, builtFrom, hashOf } from "../../scripts/built.js";

/** A package with one source, and what is written of its build. */
function makePackage() {
  const folder = mkdtempSync(join(tmpdir(), "wye-built-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = join(folder, "a.ts");
  writeFileSync(source, "export const a = 1;");
  const record = () => {
    mkdirSync(join(folder, ".reports"), { recursive: true });
    writeFileSync(join(folder, builtFrom), JSON.stringify({ "a.ts": hashOf(source) }));
  };
  return { folder, source, record, ask: () => built(pathToFileURL(folder), "index.js") };
}

test("a built file is where a package was built from the sources that there are", () => {
  const { folder, record, ask } = makePackage();
  record();
  expect(ask()).toBe(join(folder, "dist", "index.js"));
});

test("what was not built, or from another source, or one that has gone, has to be built first", () => {
  const { source, record, ask } = makePackage();
  expect(ask).toThrow(/build it first \(npx turbo run build\): dist, or a record/);
  record();
  writeFileSync(source, "export const a = 2;");
  expect(ask).toThrow(/build it first \(npx turbo run build\): a\.ts$/);
  record();
  rmSync(source);
  expect(ask).toThrow(/build it first/);
});
