import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { folderWith, shellPipeline, wye } from "./run-program.js";

const good = shellPipeline(`printf "$2 $3" > "$1"`);

test("writes a report, or says why it cannot", async () => {
  const host = folderWith({ "good.json": good });
  expect((await wye(["pipeline", "run", "good.json", "--report", "out.html"], host)).code).toBe(0);
  expect(readFileSync(join(host.cwd, "out.html"), "utf8")).toMatch(/^<!doctype html>/i);
  // It can be written when the run starts, and not any more when it has ended.
  mkdirSync(join(host.cwd, "pages"));
  const pages = join(host.cwd, "pages");
  writeFileSync(join(host.cwd, "rude.json"), shellPipeline(`rmdir '${pages}'; printf done > "$1"`));
  const without = await wye(["pipeline", "run", "rude.json", "--report", "pages/out.html"], host);
  expect([without.code, without.err]).toEqual([
    2,
    expect.stringContaining("the report cannot be written: ENOENT"),
  ]);
  expect(without.err).toContain("the run succeeded");
});

test.each([
  ["a report in a folder that is not there", ["--report", "no/out.html"], "it cannot be written: ENOENT"],
  ["a report that is a folder", ["--report", "."], "it is a folder"],
  ["a report without a name", ["--report="], "It is empty"],
  ["a root elsewhere", ["--root", "gs://bucket/runs"], "It is a path on this machine"],
  ["a root without a name", ["--root="], "It is empty"],
  ["a root that is an empty URL", ["--root", "file://"], "It is a path on this machine"],
])("%s is refused before anything runs", async (_, args, message) => {
  const host = folderWith({ "good.json": good });
  const ended = await wye(["pipeline", "run", "good.json", ...args], host);
  expect([ended.code, ended.err]).toEqual([2, expect.stringContaining(message)]);
  expect(readdirSync(host.cwd)).toEqual(["good.json"]);
});

test.each([
  ["a file", "good.json", "choose another --root: ENOTDIR"],
  ["a folder that takes none", "/proc/1/net", "choose another --root: E"],
])("a root that is %s is told by the name of its option", async (_, root, message) => {
  const host = folderWith({ "good.json": good });
  const ended = await wye(["pipeline", "run", "good.json", "--root", root], host);
  expect([ended.code, ended.err]).toEqual([2, expect.stringContaining(message)]);
  expect(ended.err).not.toContain("pipelineRoot");
});

test("takes URLs of folders and files on this machine", async () => {
  const host = folderWith({ "good.json": good });
  const url = (name: string) => pathToFileURL(join(host.cwd, name)).href;
  const args = ["--root", url("runs"), "--report", url("out.html")];
  expect((await wye(["pipeline", "run", "good.json", ...args], host)).code).toBe(0);
  expect(readdirSync(host.cwd).sort()).toEqual(["good.json", "out.html", "runs"]);
  const [folder] = readdirSync(join(host.cwd, "runs"));
  const again = await wye(["pipeline", "run", "good.json", "--resume", url(`runs/${folder}`)], host);
  expect([again.code, again.err]).toEqual([0, expect.stringContaining("the run had succeeded before")]);
});
