import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const example = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "run-a-pipeline-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) =>
  spawnSync(process.execPath, ["dist/main.js", ...args], { cwd: example, encoding: "utf8" });

test("the forecast runs to its end, and the report is there", () => {
  const { status, stdout, stderr } = run("pipelines/forecast.yaml", folder, "publish=true");
  expect(stderr).toMatch(/✓ the run succeeded after .*: 12 succeeded\n {2}files: .*\n$/);
  expect(status).toBe(0);
  expect(readFileSync(stdout.trim(), "utf8")).toContain("<title>forecast: succeeded</title>");
});

test("a task that fails is the last thing told, with what it said and where its log is", () => {
  const { status, stderr } = run(
    "pipelines/forecast.yaml",
    folder,
    'without_data="east"',
    'regions=["east"]',
  );
  expect(status).toBe(1);
  const [log = "", last = ""] = stderr.trimEnd().split("\n").reverse();
  expect(last).toBe("  | there are no rows for east");
  expect(existsSync(log.replace("  log: ", ""))).toBe(true);
});

test("without a file it says how it is called", () => {
  const { status, stderr } = run();
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: "usage: run-a-pipeline FILE [FOLDER] [NAME=JSON …]\n",
  });
});
