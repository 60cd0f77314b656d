import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { configPaths, findConfig } from "./find-config.js";

/** A folder with a configuration, and timers that go on when the test says so. */
function folderWith(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "wye-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), text);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  return folder;
}

test.each([
  ["is there", 'export default { profile: "spec" };', { profile: "spec" }],
  ["throws", 'throw new Error("oh no");', "cannot be loaded: oh no"],
])("nobody waits for a configuration any more that %s", async (_, text, found) => {
  const folder = folderWith("wye.config.mjs", text);
  const leaveBehind = vi.fn();
  const loaded = await findConfig(folder, { leaveBehind }).catch(({ message }: Error) =>
    message.replace(`${join(folder, "wye.config.mjs")} `, ""),
  );
  expect([loaded, vi.getTimerCount(), leaveBehind.mock.calls]).toEqual([found, 0, []]);
});

test("of two configurations in one folder that is taken which is a module", async () => {
  const folder = folderWith("wye.config.json", '{"profile":"kfp"}');
  expect(await findConfig(folder, {})).toEqual({ profile: "kfp" });
  writeFileSync(join(folder, "wye.config.mjs"), 'export default { profile: "spec" };');
  expect(await findConfig(folder, {})).toEqual({ profile: "spec" });
});

test("of configurations in folders above each other the nearest is taken, and that of the root is one", async () => {
  const folder = folderWith("wye.config.mjs", 'export default { profile: "kfp" };');
  const below = join(folder, "below");
  mkdirSync(below);
  expect(await findConfig(below, {})).toEqual({ profile: "kfp" });
  writeFileSync(join(below, "wye.config.json"), '{"profile":"spec"}');
  expect(await findConfig(below, {})).toEqual({ profile: "spec" });
  const pathsIn = (at: string) => ["wye.config.mjs", "wye.config.json"].map((name) => join(at, name));
  expect(configPaths("/a/b")).toEqual(["/a/b", "/a", "/"].flatMap(pathsIn));
});

test("a module that has changed is loaded again", async () => {
  const folder = folderWith("wye.config.mjs", 'export default { profile: "kfp" };');
  const path = join(folder, "wye.config.mjs");
  expect(await findConfig(folder, {})).toEqual({ profile: "kfp" });
  writeFileSync(path, 'export default { profile: "spec" };');
  utimesSync(path, 1, 1);
  expect(await findConfig(folder, {})).toEqual({ profile: "spec" });
});

test.each<[text: string, problem: string | undefined]>([
  ['{"$schema":"s","profile":"kfp","rules":{}}', undefined],
  ['{"rules":[]}', undefined],
  ["5", "a configuration is an object with profile and rules"],
  ["null", "a configuration is an object with profile and rules"],
  ['{"profil":"kfp"}', 'there is no setting "profil"; did you mean profile?'],
  ['{"schema":"s"}', 'there is no setting "schema": profile, rules'],
  ['{"profile":"KFP"}', 'the profile is "kfp" or "spec"'],
  ['{"profile":null}', 'the profile is "kfp" or "spec"'],
  ['{"rules":null}', "rules are an object, or a list"],
  ['{"rules":"task-cycle"}', "rules are an object, or a list"],
])("what is wrong with a configuration is told: %s", async (text, problem) => {
  const folder = folderWith("wye.config.json", text);
  const found = findConfig(folder, {}).then(
    () => undefined,
    ({ name, message }: Error) => `${name} ${message}`,
  );
  expect(await found).toBe(problem && `UsageError ${join(folder, "wye.config.json")}: ${problem}`);
});

test("a configuration that waits for what never comes is told of, and keeps nobody", async () => {
  const folder = folderWith("wye.config.mjs", "await new Promise(() => {}); export default {};");
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
