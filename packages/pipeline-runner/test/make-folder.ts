import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A new folder, which is gone when the tests of the file are done. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "wye-run-"));
  made.push(folder);
  return folder;
}
