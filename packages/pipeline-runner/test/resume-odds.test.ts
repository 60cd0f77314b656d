import files, { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join } from "node:path";
import { RuntimeArtifact } from "@wye/pipeline-spec";
import { expect, onTestFinished, test } from "vitest";
import { type Executor, runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

const pipeline = shellPipeline({ a: { run: "" } });
const well: Executor = { execute: async () => ({ ok: true }) };

/** Cancels a run as soon as it carries out this task. */
async function cancelledAt(task: string, of = pipeline, executor = well) {
  const user = new AbortController();
  const execute: Executor["execute"] = async (work, context) => {
    if (work.task.id !== task) return executor.execute(work, context);
    user.abort();
    return { ok: false, message: "stopped" };
  };
  const options = { pipelineRoot: makeFolder(), executor: { execute }, validate: false };
  const result = await runPipeline(of, { ...options, signal: user.signal });
  expect(result.state).toBe("CANCELLED");
  return result;
}

test("of runs that were started in the same moment the last one is resumed, by its number", async () => {
  const { folder } = await cancelledAt("a");
  for (const number of [2, 9, 10]) cpSync(folder, `${folder}-${number}`, { recursive: true });
  const pipelineRoot = dirname(folder);
  const result = await runPipeline(pipeline, { pipelineRoot, resumeFrom: true, executor: well });
  expect([result.state, basename(result.folder)]).toEqual(["SUCCEEDED", `${basename(folder)}-10`]);
});

test("a loop that was running goes on with the iterations that are left", async () => {
  const task = { parameterIterator: { items: { raw: "[1, 2]" }, itemInput: "in" } };
  const loop = shellPipeline({ a: { run: "", task: { ...task, iteratorPolicy: { parallelismLimit: 1 } } } });
  const { folder } = await cancelledAt("a[1]", loop);
  const begun: string[] = [];
  const executor: Executor = {
    execute: async ({ task: { id } }) => {
      begun.push(id);
      return { ok: true };
    },
  };
  const { state } = await runPipeline(loop, { resumeFrom: folder, executor });
  expect([state, begun]).toEqual(["SUCCEEDED", ["a[1]"]]);
});

test("of several artifacts that are gone the first is named, and the others are counted", async () => {
  const names = ["one", "two", "three"];
  const made = (folder: string) => names.map((name) => join(folder, name));
  const steps = shellPipeline({
    make: { run: "", makes: true },
    wait: { run: "", after: ["make"] },
    late: { run: "", after: ["wait"], reads: "make" },
  });
  const executor: Executor = {
    execute: async ({ task: { id }, folder }) => {
      if (id !== "make") return { ok: true };
      for (const path of made(folder)) writeFileSync(path, "data");
      const artifacts = made(folder).map((uri) => RuntimeArtifact.create({ name: basename(uri), uri }));
      return { ok: true, outputs: { artifacts: { data: { artifacts } } } };
    },
  };
  const { folder } = await cancelledAt("wait", steps, executor);
  const [one, two, three] = made(join(folder, "make"));
  rmSync(`${one}`);
  rmSync(`${three}`);
  const { state, warnings } = await runPipeline(steps, { resumeFrom: folder, executor });
  expect([state, warnings]).toEqual([
    "SUCCEEDED",
    [`what make had made is gone (${one} and 1 more), and it is done again, with all that came after it`],
  ]);
  expect(readFileSync(`${two}`, "utf8")).toBe("data");
});

test("nothing is heard of before it is in the journal", async () => {
  const pipelineRoot = makeFolder();
  const unknown: string[] = [];
  const { state } = await runPipeline(pipeline, {
    pipelineRoot,
    executor: well,
    onEvent: ({ task, state: next }) => {
      if (task !== "a" || next === "QUEUED") return;
      const journal = readFileSync(
        join(pipelineRoot, `${readdirSync(pipelineRoot)[0]}`, "run.jsonl"),
        "utf8",
      );
      if (!journal.includes(`"task":"a","report":{"state":"${next}"`)) unknown.push(next);
    },
  });
  expect([state, unknown]).toEqual(["SUCCEEDED", []]);
});

test("of a run that cannot be started nothing is left", async () => {
  const { mkdirSync } = files;
  const change = (call: unknown): void => {
    Object.assign(files, { mkdirSync: call });
    syncBuiltinESMExports();
  };
  onTestFinished(() => change(mkdirSync));
  change((path: string) => {
    if (path.endsWith("/workspace")) throw Object.assign(new Error("ENOSPC: no room"), { code: "ENOSPC" });
    mkdirSync(path);
  });
  const pipelineRoot = makeFolder();
  const started = runPipeline(pipeline, { pipelineRoot, executor: well });
  await expect(started).rejects.toMatchObject({
    code: "folder",
    message: "the run cannot be started: ENOSPC: no room",
  });
  expect(readdirSync(pipelineRoot)).toEqual([]);
});

// Only Linux tells which files are open.
test.runIf(process.platform === "linux")("a run that cannot be resumed leaves no file open", async () => {
  const { folder } = await cancelledAt("a");
  const other = shellPipeline({ a: { run: "other" } });
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let time = 0; time < 30; time++)
    await expect(runPipeline(other, { resumeFrom: folder })).rejects.toThrow("is of another pipeline");
  expect(open()).toBeLessThan(before + 30);
});
