import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { findConfig } from "./find-config.js";

test("a configuration that waits for what never comes is told of, and keeps nobody", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wye-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "wye.config.mjs"), "await new Promise(() => {}); export default {};");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const leaveBehind = vi.fn();
  const found = vi.fn();
  findConfig(folder, { leaveBehind }).then(found, found);
  // The time begins when the file has been found.
  await vi.waitFor(
    () => {
      vi.advanceTimersByTime(10_000);
      expect(found).toHaveBeenCalledOnce();
    },
    { timeout: 60_000 },
  );
  expect(String(found.mock.lastCall)).toMatch(
    /wye\.config\.mjs cannot be loaded: what it awaits has not come within 30 seconds$/,
  );
  expect(leaveBehind).toHaveBeenCalledOnce();
});
