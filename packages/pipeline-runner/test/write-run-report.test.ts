import { execFile, execFileSync } from "node:child_process";
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
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

  test("goes behind what there is where it is written to what this process has open", async () => {
    const path = join(makeFolder(), "log.txt");
    writeFileSync(path, "before it\n");
    const file = openSync(path, "a");
    onTestFinished(() => closeSync(file));
    await writeRunReport(await run(), `/dev/fd/${file}`);
    expect(readFileSync(path, "utf8")).toMatch(/^before it\n<!doctype html>/i);
  });

  test("may be written several times at once, and by its URL", async () => {
    const [result, folder] = [await run(), makeFolder()];
    const file = join(folder, "report.html");
    await Promise.all([file, file, file, pathToFileURL(file).href].map((one) => writeRunReport(result, one)));
    expect(readdirSync(folder)).toEqual(["report.html"]);
    expect(isPage(file)).toBe(true);
  });

  // Only Linux has places for files that are open.
  test.runIf(process.platform === "linux")("goes into a file that is open, and leaves it there", async () => {
    const page = join(makeFolder(), "page.html");
    const file = openSync(page, "a");
    onTestFinished(() => closeSync(file));
    const { ino } = lstatSync(page);
    await writeRunReport(await run(), `/proc/self/fd/${file}`);
    expect([isPage(page), lstatSync(page).ino]).toEqual([true, ino]);
  });

  test("that cannot take its place leaves nothing else there", async () => {
    const [folder, result] = [makeFolder(), await run()];
    const { rename } = promises;
    const change = (call: unknown): void => {
      Object.assign(promises, { rename: call });
      syncBuiltinESMExports();
    };
    onTestFinished(() => change(rename));
    change(() => Promise.reject(new Error("EACCES")));
    await expect(writeRunReport(result, join(folder, "report.html"))).rejects.toThrow("EACCES");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("may have as long a name as file systems take", async () => {
    const [folder, name] = [makeFolder(), `${"x".repeat(250)}.html`];
    await writeRunReport(await run(), join(folder, name));
    expect(readdirSync(folder)).toEqual([name]);
  });

  test.each([5, undefined, "", "gs://bucket/report.html"])("is not written to %j", async (file) => {
    // Programs without types hand in anything.
    const writing = writeRunReport(await run(), file as string);
    await expect(writing).rejects.toThrow(TypeError);
    await expect(writing).rejects.toThrow("the path of a file on this machine");
  });
});

describe("of the logs of a run", () => {
  /** What a report shows of the log of each of these tasks, which have all printed the same. */
  async function shown(states: readonly ("FAILED" | "SUCCEEDED")[], printed: string) {
    const [result, folder] = [await run(), makeFolder()];
    const log = join(folder, "log.txt");
    writeFileSync(log, printed);
    const [task] = result.tasks;
    if (task === undefined) return expect.unreachable("there is a task");
    const tasks = states.map((state, at) => ({ ...task, id: `t${at}`, state, log }));
    await writeRunReport({ ...result, tasks }, join(folder, "report.html"));
    const html = readFileSync(join(folder, "report.html"), "utf8");
    return Array.from(html.matchAll(/<pre class="log">([^<]*)/g), ([, text]) => text);
  }

  test("there is more of those of tasks that failed", async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `${at}`);
    const [failed, other] = await shown(["FAILED", "SUCCEEDED"], lines.join("\n"));
    expect([failed, other]).toEqual([lines.slice(100).join("\n"), lines.slice(180).join("\n")]);
    const long = await shown(["FAILED", "SUCCEEDED"], `${"x".repeat(20_000)}`);
    expect(long).toEqual([`(8384 characters before) …${"x".repeat(8000)}`, "x".repeat(2048)]);
  });

  test("there are those of a hundred that failed, and a little of a thousand others", async () => {
    const states = (failed: number, others: number) => [
      ...Array.from({ length: failed }, () => "FAILED" as const),
      ...Array.from({ length: others }, () => "SUCCEEDED" as const),
    ];
    const lines = Array.from({ length: 30 }, () => "x").join("\n");
    const lengths = (logs: readonly (string | undefined)[]) => logs.map((text = "") => (text.length + 1) / 2);
    const most = lengths(await shown(states(102, 1000), lines));
    expect(most.filter((count) => count === 30)).toHaveLength(100);
    expect(most.filter((count) => count === 20)).toHaveLength(1000);
    expect(most).toHaveLength(1100);
  });
});
