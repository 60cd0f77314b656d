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
  const found = findConfig(folder, { leaveBehind });
  const told = expect(found).rejects.toThrow(
    /wye\.config\.mjs cannot be loaded: what it awaits has not come within 30 seconds$/,
  );
  // The time begins when the file has been found.
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { timeout: 30_000 });
  vi.advanceTimersByTime(30_000);
  await told;
  expect(leaveBehind).toHaveBeenCalledOnce();
});
