import { execFileSync } from "node:child_process";
import files, { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { type RunPipelineOptions, runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

// Folders of others, programs with too many open files and network folders that go away need rights or luck: here the system answers as it does then.

/** Has the system refuse something until the test is over, or until it is told not to. */
function refuse(
  name:
    | "closeSync"
    | "fstatSync"
    | "openSync"
    | "readdirSync"
    | "readFileSync"
    | "rmSync"
    | "statSync"
    | "truncateSync"
    | "writeFileSync",
  code: string,
): () => void {
  const usual = files[name];
  const answer = (call: unknown): void => {
    Object.assign(files, { [name]: call });
    syncBuiltinESMExports();
  };
  const stop = (): void => answer(usual);
  answer(() => {
    throw Object.assign(new Error(`${code}: not now`), { code });
  });
  onTestFinished(stop);
  return stop;
}

afterEach(() => void vi.useRealTimers());

const pipeline = shellPipeline({ a: { run: "true" } });
const executor: RunPipelineOptions["executor"] = { execute: async () => ({ ok: true }) };

test.each([
  ["truncateSync", "EACCES"],
  ["openSync", "EMFILE"],
  ["readFileSync", "EACCES"],
  ["statSync", "EACCES"],
  ["writeFileSync", "EROFS"],
] as const)("who resumes a run is told when its files cannot be opened (%s)", async (name, code) => {
  const { folder } = await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor });
  const stop = refuse(name, code);
  await expect(runPipeline(pipeline, { resumeFrom: folder, executor })).rejects.toMatchObject({
    name: "PipelineRunError",
    code: "folder",
    message: `the run cannot go on: ${code}: not now`,
  });
  stop();
  expect((await runPipeline(pipeline, { resumeFrom: folder, executor })).state).toBe("SUCCEEDED");
});

test("a run whose journal is out of reach ends, and goes on later", async () => {
  const pipelineRoot = makeFolder();
  let stop = (): void => {};
  const run = runPipeline(pipeline, {
    pipelineRoot,
    executor: {
      execute: async () => {
        stop = refuse("fstatSync", "ESTALE");
        return { ok: true };
      },
    },
  });
  await expect(run).rejects.toMatchObject({
    name: "PipelineRunError",
    code: "folder",
    message: expect.stringContaining("cannot be written: ESTALE: not now; with resumeFrom the run goes on"),
  });
  stop();
  const resumed = await runPipeline(pipeline, { pipelineRoot, resumeFrom: true, executor });
  expect([resumed.state, existsSync(join(resumed.folder, "run.lock"))]).toEqual(["SUCCEEDED", false]);
});

test("a lock that cannot be read for a while is kept, and given back", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const pipelineRoot = makeFolder();
  const lock = () => join(pipelineRoot, readdirSync(pipelineRoot)[0] ?? "", "run.lock");
  const beat = () => vi.advanceTimersByTime(5000);
  const hourAgo = new Date(Date.now() - 3_600_000);
  let silenceMs = Number.POSITIVE_INFINITY;
  let stop = (): void => {};
  const result = await runPipeline(pipeline, {
    pipelineRoot,
    executor: {
      execute: async () => {
        stop = refuse("openSync", "EMFILE");
        beat();
        stop();
        utimesSync(lock(), hourAgo, hourAgo);
        beat();
        silenceMs = Date.now() - statSync(lock()).mtimeMs;
        stop = refuse("openSync", "EMFILE");
        return { ok: true };
      },
    },
  });
  stop();
  expect(silenceMs).toBeLessThan(600_000);
  expect([result.state, existsSync(lock())]).toEqual(["SUCCEEDED", false]);
});

test("a run whose lock cannot be removed tells how it ended all the same", async () => {
  const result = await runPipeline(pipeline, {
    pipelineRoot: makeFolder(),
    executor,
    onEvent: ({ task, state }) => {
      if (task === "" && state === "SUCCEEDED") refuse("rmSync", "EROFS");
    },
  });
  expect(result.state).toBe("SUCCEEDED");
});

test("a run whose journal cannot be closed gives its lock back, and goes on later", async () => {
  const pipelineRoot = makeFolder();
  let stop = (): void => {};
  const run = runPipeline(pipeline, {
    pipelineRoot,
    executor,
    onEvent: ({ task, state }) => {
      if (task === "" && state === "SUCCEEDED") stop = refuse("closeSync", "EDQUOT");
    },
  });
  await expect(run).rejects.toMatchObject({
    name: "PipelineRunError",
    code: "folder",
    message: expect.stringContaining("cannot be written: EDQUOT: not now; with resumeFrom the run goes on"),
  });
  stop();
  const resumed = await runPipeline(pipeline, { pipelineRoot, resumeFrom: true, executor });
  expect([resumed.state, existsSync(join(resumed.folder, "run.lock"))]).toEqual(["SUCCEEDED", false]);
});

test("what has kept a journal from being written is told also when it cannot be closed either", async () => {
  const pipelineRoot = makeFolder();
  const run = runPipeline(pipeline, {
    pipelineRoot,
    executor: {
      execute: async () => {
        refuse("fstatSync", "ESTALE");
        refuse("closeSync", "EIO");
        return { ok: true };
      },
    },
  });
  await expect(run).rejects.toMatchObject({ code: "folder", message: expect.stringContaining("ESTALE") });
  const [folder = ""] = readdirSync(pipelineRoot);
  expect(existsSync(join(pipelineRoot, folder, "run.lock"))).toBe(false);
});

test("a lock that was taken is no one's when what others left beside it cannot be listed", async () => {
  const { folder } = await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor });
  refuse("readdirSync", "EMFILE");
  const { state } = await runPipeline(pipeline, { resumeFrom: folder, executor });
  expect([state, existsSync(join(folder, "run.lock"))]).toEqual(["SUCCEEDED", false]);
});

test("who may not read the lock of a run is told so", async () => {
  const { folder } = await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor });
  writeFileSync(join(folder, "run.lock"), "1");
  refuse("openSync", "EACCES");
  await expect(runPipeline(pipeline, { resumeFrom: folder, executor })).rejects.toMatchObject({
    name: "PipelineRunError",
    code: "folder",
    message: "the run cannot go on: EACCES: not now",
  });
});

test.each([
  ["run.jsonl", "is empty"],
  ["run.lock", "another process, which has just begun, is working on the run"],
])("a pipe in the place of %s keeps nobody waiting", async (name, message) => {
  const { folder } = await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor });
  const place = join(folder, name);
  rmSync(place, { force: true });
  execFileSync("mkfifo", [place]);
  await expect(runPipeline(pipeline, { resumeFrom: folder, executor })).rejects.toMatchObject({
    name: "PipelineRunError",
    message: expect.stringContaining(message),
  });
});
