import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

/** A new folder, which is gone when the test is done; when all of the file are, if it is made outside of tests. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "wye-run-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    onTestFinished(remove);
  } catch {
    afterAll(remove);
  }
  return folder;
}
