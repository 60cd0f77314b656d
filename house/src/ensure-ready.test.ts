import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isNodeTooOld, needsInstall } from "../../scripts/ensure-ready.mjs";

const versions = [
  { version: "8.17.0", old: true },
  { version: "18.20.4", old: true },
  { version: "20.18.3", old: true },
  { version: "20.19.0", old: false },
  { version: "20.20.2", old: false },
  { version: "22.0.0", old: false },
  { version: "24.21.0", old: false },
];
for (const { version, old } of versions) {
  test(`Node ${version} is ${old ? "too old" : "fine"}`, () => expect(isNodeTooOld(version)).toBe(old));
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wye-ready-"));
  writeAt("package-lock.json", 1000);
});
afterEach(() => rmSync(folder, { recursive: true }));

test("an install is needed on a fresh clone", () => expect(needsInstall(folder)).toBe(true));

test("an install is needed after one that was interrupted", () => {
  mkdirSync(join(folder, "node_modules"));
  expect(needsInstall(folder)).toBe(true);
});

test("an install is needed when the lock has changed since", () => {
  writeAt("node_modules/.package-lock.json", 999);
  expect(needsInstall(folder)).toBe(true);
});

test("no install is needed when the lock is older than what is installed", () => {
  writeAt("node_modules/.package-lock.json", 1001);
  expect(needsInstall(folder)).toBe(false);
});

function writeAt(path: string, seconds: number): void {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "{}");
  utimesSync(file, seconds, seconds);
}
