import files, { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type RunPipelineOptions, runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

// Folders of others, programs with too many open files and network folders that go away need rights or luck: here the system answers as it does then.

/** Has the system refuse something until the test is over, or until it is told not to. */
function refuse(name: "fstatSync" | "openSync" | "truncateSync", code: string): () => void {
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

const pipeline = shellPipeline({ a: { run: "true" } });
const executor: RunPipelineOptions["executor"] = { execute: async () => ({ ok: true }) };

test.each([
  ["truncateSync", "EACCES"],
  ["openSync", "EMFILE"],
] as const)("who resumes a run is told when its journal cannot be opened (%s)", async (name, code) => {
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
