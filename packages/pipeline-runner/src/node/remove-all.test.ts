import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { removeAll } from "./remove-all.js";

// Root may remove anything: here the system answers as it does to others.

const modeOf = (path: string) => statSync(path).mode & 0o777;

/** Has the system refuse to remove anything as long as some of these folders are read-only; tells how often it was asked. */
function refuseWhileReadOnly(folders: readonly string[]) {
  const { rm } = files;
  const answer = (call: typeof rm): void => {
    files.rm = call;
    syncBuiltinESMExports();
  };
  let asked = 0;
  answer(async (...given) => {
    asked++;
    if (folders.some((folder) => existsSync(folder) && (modeOf(folder) & 0o700) !== 0o700))
      throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
    return rm(...given);
  });
  onTestFinished(() => answer(rm));
  return () => asked;
}

/** A folder in which another one is, with a file and a link to a third one elsewhere, all of them read-only. */
function readOnly() {
  const [path, outside] = [join(makeFolder(), "own"), makeFolder()];
  const inner = join(path, "inner");
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(inner, "file"), "data");
  symlinkSync(outside, join(inner, "link"));
  symlinkSync("nowhere", join(inner, "broken"));
  for (const folder of [inner, path, outside]) chmodSync(folder, 0o555);
  onTestFinished(() => chmodSync(outside, 0o755));
  return { path, inner, outside };
}

test("folders that are read-only are removed with all that is in them, and those behind links stay as they are", async () => {
  const { path, inner, outside } = readOnly();
  const asked = refuseWhileReadOnly([path, inner]);
  await removeAll(path);
  expect([existsSync(path), modeOf(outside), asked()]).toEqual([false, 0o555, 2]);
});

test("a link is removed, and not what is behind it", async () => {
  const { outside } = readOnly();
  const link = join(makeFolder(), "link");
  symlinkSync(outside, link);
  await removeAll(link);
  expect([existsSync(link), modeOf(outside)]).toEqual([false, 0o555]);
});

test("what is not there is no problem", async () => {
  const asked = refuseWhileReadOnly([]);
  await removeAll(join(makeFolder(), "none"));
  expect(asked()).toBe(1);
});

test("what cannot be removed all the same is told", async () => {
  const { path, outside } = readOnly();
  refuseWhileReadOnly([outside]);
  await expect(removeAll(path)).rejects.toThrow("EACCES");
  expect([existsSync(path), modeOf(path)]).toEqual([true, 0o755]);
});
