import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isRegularFile } from "./regular-file.js";

test("a file is one, a pipe and what is not there are none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wye-regular-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const paths = ["file", "pipe", "none"].map((name) => join(folder, name));
  writeFileSync(paths[0] ?? "", "");
  execFileSync("mkfifo", [paths[1] ?? ""]);
  expect(await Promise.all(paths.map(isRegularFile))).toEqual([true, false, false]);
});
