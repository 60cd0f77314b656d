import files, { statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { makeFolders } from "./make-folders.js";

test.each(["a", "a/b", "a/b/c", "."])(
  "a folder is made with all around it that are not there: %s",
  (name) => {
    const path = join(makeFolder(), name);
    makeFolders(path);
    makeFolders(path);
    expect(statSync(path).isDirectory()).toBe(true);
  },
);

test.each(["file", "file/a", "file/a/b"])("a file on the way is told of: %s", (name) => {
  const folder = makeFolder();
  writeFileSync(join(folder, "file"), "");
  const error = { code: "ENOTDIR", message: `ENOTDIR: ${join(folder, "file")} is no folder` };
  expect(() => makeFolders(join(folder, name))).toThrow(expect.objectContaining(error));
});

/** Lets something else happen just before a folder is made. */
function before(happens: (path: string) => void): void {
  const { mkdirSync } = files;
  const change = (call: unknown): void => {
    Object.assign(files, { mkdirSync: call });
    syncBuiltinESMExports();
  };
  change((path: string) => {
    happens(path);
    mkdirSync(path);
  });
  onTestFinished(() => change(mkdirSync));
}

test("a folder that others make meanwhile is there", () => {
  const path = join(makeFolder(), "a/b");
  const { mkdirSync } = files;
  before((one) => mkdirSync(one));
  makeFolders(path);
  expect(statSync(path).isDirectory()).toBe(true);
});

test("a file that others put there meanwhile is told of", () => {
  const path = join(makeFolder(), "a/b");
  before((one) => writeFileSync(one, ""));
  expect(() => makeFolders(path)).toThrow(/^EEXIST/);
});
