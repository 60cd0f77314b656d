import { existsSync, linkSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith, shellPipeline, wye } from "./run-program.js";

const pipeline = shellPipeline(`printf done > "$1"`);

describe("a report is refused before the run", () => {
  test.each([
    ["over the file of the pipeline", "p.json", () => {}],
    ["over it by another way", "./none/../p.json", () => {}],
    [
      "over what a link leads to",
      "link.html",
      (cwd: string) => symlinkSync("p.json", join(cwd, "link.html")),
    ],
    [
      "over it by its other name",
      "hard.html",
      (cwd: string) => linkSync(join(cwd, "p.json"), join(cwd, "hard.html")),
    ],
  ])("%s", async (_, report, prepare) => {
    const { cwd } = folderWith({ "p.json": pipeline, "none/x": "" });
    prepare(cwd);
    const { code, err } = await wye(["pipeline", "run", "p.json", "--report", report], { cwd });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("it is the file of the pipeline, name another one"),
    ]);
    expect(readFileSync(join(cwd, "p.json"), "utf8")).toBe(pipeline);
    expect(existsSync(join(cwd, "local_outputs"))).toBe(false);
  });

  test.each(["runs", "runs/here"])("in the place of a folder that the run makes: --root %s", async (root) => {
    const { cwd } = folderWith({ "p.json": pipeline });
    const args = ["pipeline", "run", "p.json", "--root", root, "--report", "runs"];
    const { code, err } = await wye(args, { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining("it is a folder, name a file in it")]);
    expect(existsSync(join(cwd, "runs"))).toBe(false);
  });
});

test("a report is written beside the folder of runs, and in it", async () => {
  const { cwd } = folderWith({ "p.json": pipeline, "runs/x": "" });
  for (const report of ["runs.html", "runs/report.html"]) {
    const args = ["pipeline", "run", "p.json", "--root", "runs", "--report", report];
    expect((await wye(args, { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, report), "utf8")).toContain("<!doctype html>");
  }
});

test("a report takes the place of another one, and of any file beside the pipeline", async () => {
  const { cwd } = folderWith({ "p.json": pipeline, "old.html": "old", "other.json": pipeline });
  for (const report of ["old.html", "other.json", "old.html"]) {
    expect((await wye(["pipeline", "run", "p.json", "--report", report], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, report), "utf8")).toContain("<!doctype html>");
  }
  expect(readFileSync(join(cwd, "p.json"), "utf8")).toBe(pipeline);
});

test("a run whose report cannot be written ends with 2, and says why", async () => {
  const { cwd } = folderWith({ "go\u0007ne/x": "" });
  writeFileSync(join(cwd, "p.json"), shellPipeline(`rm -r '${cwd}/go'*; printf done > "$1"`));
  const ended = await wye(["pipeline", "run", "p.json", "--report", "go\u0007ne/r.html"], { cwd });
  expect([ended.code, ended.out]).toEqual([2, 'out = "done"\n']);
  expect(ended.err).toMatch(/^wye: the report cannot be written: ENOENT.*\/go\\x07ne\//m);
});

test("a pipeline of the standard input is in the way of no report", async () => {
  const { cwd } = folderWith({ "-": "old" });
  const args = ["pipeline", "run", "-", "--report", "-"];
  expect((await wye(args, { cwd, input: pipeline })).code).toBe(0);
  expect(readFileSync(join(cwd, "-"), "utf8")).toContain("<!doctype html>");
});

test.each(["2147484", "3000000", "1e300"])(
  "a time limit of %s s is refused with the longest",
  async (time) => {
    const { cwd } = folderWith({ "p.json": pipeline });
    const { code, err } = await wye(["pipeline", "run", "p.json", "--timeout", time], { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining("at most 2147483 seconds, which are 24 days")]);
  },
);

test("a time limit of 24 days is none of them", async () => {
  const { cwd } = folderWith({ "p.json": pipeline });
  expect((await wye(["pipeline", "run", "p.json", "--timeout", "2147483"], { cwd })).code).toBe(0);
});
