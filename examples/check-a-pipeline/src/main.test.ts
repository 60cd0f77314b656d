import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));

const check = (...args: string[]) =>
  spawnSync(process.execPath, ["dist/main.js", ...args], { cwd: folder, encoding: "utf8" });

test("a pipeline without mistakes passes", () => {
  const { status, stdout } = check("pipelines/greeting.yaml");
  expect({ status, stdout }).toEqual({ status: 0, stdout: "no problems\n" });
});

test("all mistakes are shown with their places, and the exit code is 1", () => {
  const { status, stdout } = check("pipelines/broken.yaml");
  expect(status).toBe(1);
  expect(stdout.match(/^\w+\[[a-z-]+\]/gm)).toEqual([
    "error[output-unknown]",
    "error[condition-input-unknown]",
    "error[placeholder-unknown]",
  ]);
  expect(stdout).toContain("--> pipelines/broken.yaml:");
  expect(stdout).toContain('help: did you mean "greeting"?');
  expect(stdout.trimEnd().endsWith("3 errors")).toBe(true);
});

test("without a file it says how it is called", () => {
  const { status, stderr } = check();
  expect({ status, stderr }).toEqual({ status: 2, stderr: "usage: check-a-pipeline FILE\n" });
});
