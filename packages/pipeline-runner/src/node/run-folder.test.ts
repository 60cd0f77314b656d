import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { shellPipeline } from "../../test/shell-pipeline.js";
import { startRun } from "../index.js";
import { RunFolder, workspaceOf } from "./run-folder.js";

function folderOf(...names: readonly string[]) {
  const tasks = Object.fromEntries(names.map((name) => [name, { run: "true", gives: true, makes: true }]));
  const run = startRun(shellPipeline(tasks));
  const path = makeFolder();
  return { run, path, folder: new RunFolder(path, run), task: run.ready()[0] ?? expect.unreachable() };
}

test.each([
  ["run.jsonl", "%72un.jsonl"],
  ["run.lock", "%72un.lock"],
  ["RUN.LOCK", "%52UN.LOCK"],
  ["run.jsonl.old", "%72un.jsonl.old"],
  ["run.lock.7", "%72un.lock.7"],
  ["workspace", "%77orkspace"],
  ["Fetched", "%46etched"],
  ["a-iteration-0", "%61-iteration-0"],
  ["a-iteration-12", "%61-iteration-12"],
  ["run", "run"],
  ["run.jsonlines", "run.jsonlines"],
  ["a.run.lock", "a.run.lock"],
  ["workspaces", "workspaces"],
  ["my-workspace", "my-workspace"],
  ["a-iteration-", "a-iteration-"],
  ["a-iteration-0b", "a-iteration-0b"],
  ["a/b", "a%2fb"],
])("the task %s has the folder %s, which no file of the run has", (name, called) => {
  const { path, folder, task } = folderOf(name);
  expect(folder.of(task)).toBe(join(path, called));
  expect(folder.log({ ...task, attempt: 12 })).toBe(join(path, called, "log-12.txt"));
});

test("what is no task is in the folder of the run, beside what tasks share", () => {
  const { path, folder } = folderOf("a");
  expect([folder.of({ id: "nobody" }), folder.workspace]).toEqual([path, join(path, "workspace")]);
  expect(folder.workspace).toBe(workspaceOf(path));
});

test("the folder of an iteration is beside where its loop would be, and what is in it is within", () => {
  const items = { parameterIterator: { items: { raw: '["x", "y"]' }, itemInput: "in" } };
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "loops" },
      root: { dag: { tasks: { g: { componentRef: { name: "group" } } } } },
      components: {
        group: {
          dag: {
            tasks: {
              l: { componentRef: { name: "body" }, ...items },
              "a/b": { componentRef: { name: "item" }, ...items },
            },
          },
        },
        body: {
          inputDefinitions: { parameters: { in: { parameterType: "STRING" } } },
          dag: { tasks: { t: { componentRef: { name: "leaf" } } } },
        },
        item: {
          executorLabel: "exec",
          inputDefinitions: { parameters: { in: { parameterType: "STRING" } } },
        },
        leaf: { executorLabel: "exec" },
      },
      deploymentSpec: { executors: { exec: { container: { image: "alpine" } } } },
    }),
  );
  const run = startRun(parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message));
  const folder = new RunFolder("/run", run);
  expect(run.tasks.map(({ id }) => [id, folder.of({ id })])).toEqual([
    ["g", "/run/g"],
    ["g/l", "/run/g/l"],
    ["g/a%2Fb", "/run/g/a%2fb"],
    ["g/l[0]", "/run/g/l-iteration-0"],
    ["g/l[1]", "/run/g/l-iteration-1"],
    ["g/l[0]/t", "/run/g/l-iteration-0/t"],
    ["g/l[1]/t", "/run/g/l-iteration-1/t"],
    ["g/a%2Fb[0]", "/run/g/a%2fb-iteration-0"],
    ["g/a%2Fb[1]", "/run/g/a%2fb-iteration-1"],
  ]);
});

describe("the folder of an attempt", () => {
  test("has nothing of an earlier one but what it has printed", async () => {
    const { folder, task } = folderOf("a");
    const own = folder.of(task);
    mkdirSync(join(own, "deep", "er"), { recursive: true });
    const logs = ["log-1.txt", "log-10.txt", "log-123.txt"];
    const others = ["log-.txt", "log-1.txt.old", "my-log-1.txt", "log-1xtxt", "LOG-1.txt", "data", ".hidden"];
    for (const name of [...logs, ...others]) writeFileSync(join(own, name), "x");
    await folder.prepare(task, own);
    expect(readdirSync(own).toSorted()).toEqual(logs);
  });

  test("has the folders of its outputs, and says where they go", async () => {
    const { folder, task } = folderOf("a");
    const own = folder.of(task);
    const { outputs } = await folder.prepare(task, own);
    expect(outputs?.outputFile).toBe(join(own, "executor_output.json"));
    expect(outputs?.parameters.out?.outputFile).toBe(join(own, "out"));
    expect(outputs?.artifacts.data?.artifacts.map(({ uri }) => relative(own, uri))).toEqual(["data"]);
    expect(existsSync(dirname(outputs?.parameters.out?.outputFile ?? ""))).toBe(true);
    expect(readdirSync(own)).toEqual([]);
  });

  test("is made anew in the place of a file, or of a link, whose folder stays as it was", async () => {
    const { folder, task } = folderOf("a");
    const own = folder.of(task);
    writeFileSync(own, "in the way");
    await folder.prepare(task, own);
    expect(statSync(own).isDirectory()).toBe(true);
    const { folder: other, task: linked } = folderOf("b");
    const elsewhere = makeFolder();
    writeFileSync(join(elsewhere, "precious"), "");
    symlinkSync(elsewhere, other.of(linked));
    await other.prepare(linked, other.of(linked));
    expect([readdirSync(elsewhere), readdirSync(other.of(linked))]).toEqual([["precious"], []]);
  });

  test("can be written also where an earlier one has forbidden that", async () => {
    const { folder, task } = folderOf("a");
    const own = folder.of(task);
    mkdirSync(join(own, "closed"), { recursive: true });
    chmodSync(join(own, "closed"), 0o555);
    chmodSync(own, 0o555);
    await folder.prepare(task, own);
    expect([readdirSync(own), statSync(own).mode & 0o777]).toEqual([[], 0o755]);
  });
});
