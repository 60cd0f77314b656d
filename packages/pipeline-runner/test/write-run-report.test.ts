import { execFile, execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { functionExecutor, runPipeline, writeRunReport } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

const executor = functionExecutor({ task: () => undefined });
const run = () => runPipeline(shellPipeline({ task: { run: "" } }), { pipelineRoot: makeFolder(), executor });
const isPage = (path: string) => /^<!doctype html>/i.test(readFileSync(path, "utf8"));

describe("a report", () => {
  test.each([
    ["to an old page", true],
    ["to none yet", false],
  ])("is put where a link leads, and leaves the link: %s", async (_, isThere) => {
    const folder = makeFolder();
    if (isThere) writeFileSync(join(folder, "page.html"), "old");
    symlinkSync(join(folder, "page.html"), join(folder, "link.html"));
    await writeRunReport(await run(), join(folder, "link.html"));
    expect(lstatSync(join(folder, "link.html")).isSymbolicLink()).toBe(true);
    expect(isPage(join(folder, "page.html"))).toBe(true);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test("goes through a pipe, which stays one", async () => {
    const folder = makeFolder();
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const read = promisify(execFile)("cat", [pipe], { maxBuffer: 2 ** 26 });
    await writeRunReport(await run(), pipe);
    expect((await read).stdout).toMatch(/^<!doctype html>/i);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  test("may be written several times at once, and by its URL", async () => {
    const [result, folder] = [await run(), makeFolder()];
    const file = join(folder, "report.html");
    await Promise.all([file, file, file, pathToFileURL(file).href].map((one) => writeRunReport(result, one)));
    expect(readdirSync(folder)).toEqual(["report.html"]);
    expect(isPage(file)).toBe(true);
  });

  test.each([5, undefined, "", "gs://bucket/report.html"])("is not written to %j", async (file) => {
    // Programs without types hand in anything.
    const writing = writeRunReport(await run(), file as string);
    await expect(writing).rejects.toThrow(TypeError);
    await expect(writing).rejects.toThrow("the path of a file on this machine");
  });
});
