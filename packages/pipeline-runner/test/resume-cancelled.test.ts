import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Executor, type RunPipelineOptions, runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

const chain = shellPipeline({
  a: { run: "" },
  b: { run: "", after: ["a"] },
  c: { run: "", after: ["b"] },
});

/** Does what is said for a task, and keeps which tasks were begun. */
function executorOf(tasks: { readonly [id: string]: Executor["execute"] } = {}) {
  const begun: string[] = [];
  const executor: Executor = {
    execute: async (work, context) => {
      begun.push(work.task.id);
      return (await tasks[work.task.id]?.(work, context)) ?? { ok: true };
    },
  };
  return { executor, begun };
}

const stopped = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

/** Cancels a run while b runs, which ends as it is said. */
async function interrupted(ok: boolean, options: RunPipelineOptions) {
  const user = new AbortController();
  const { executor, begun } = executorOf({
    b: async (_, { signal }) => {
      user.abort();
      await stopped(signal);
      return ok ? { ok } : { ok, message: "killed" };
    },
  });
  const result = await runPipeline(chain, { ...options, executor, signal: user.signal });
  expect(result.state).toBe("CANCELLED");
  return { folder: result.folder, begun };
}

describe("a run that was cancelled", () => {
  test.each([
    ["again, when it was stopped", false, ["b", "c"]],
    ["not again, when it ended well all the same", true, ["c"]],
  ])("is resumed: what was running is done %s", async (_, ok, again) => {
    const { folder } = await interrupted(ok, { pipelineRoot: makeFolder() });
    const { executor, begun } = executorOf();
    const result = await runPipeline(chain, { resumeFrom: folder, executor });
    expect(result).toMatchObject({ state: "SUCCEEDED", folder, error: undefined, warnings: [] });
    expect(begun).toEqual(again);
    expect(result.tasks.map(({ state, attempts }) => [state, attempts])).toEqual(
      Array.from({ length: 3 }, () => ["SUCCEEDED", 1]),
    );
  });

  test("is resumed as often as it is interrupted, also when its time was over", async () => {
    const { folder } = await interrupted(false, { pipelineRoot: makeFolder() });
    expect((await interrupted(false, { resumeFrom: folder })).begun).toEqual(["b"]);
    const slow = executorOf({
      b: async (_, { signal }) => stopped(signal).then(() => ({ ok: false, message: "stopped" })),
    });
    const late = await runPipeline(chain, { resumeFrom: folder, executor: slow.executor, timeoutMs: 1 });
    expect(late.state).toBe("CANCELLED");
    expect((await runPipeline(chain, { resumeFrom: folder, executor: executorOf().executor })).state).toBe(
      "SUCCEEDED",
    );
    expect(readdirSync(folder).filter((name) => name.startsWith("run."))).toEqual(["run.jsonl"]);
  });

  test("stays as it is when it is not resumed", async () => {
    const { folder } = await interrupted(false, { pipelineRoot: makeFolder() });
    const journal = () => readFileSync(join(folder, "run.jsonl"), "utf8");
    const before = journal();
    const other = shellPipeline({ a: { run: "" } });
    await expect(runPipeline(other, { resumeFrom: folder })).rejects.toThrow("is of another pipeline");
    expect(journal()).toBe(before);
  });
});

describe("the last run", () => {
  test("of this pipeline below a folder is found without its name", async () => {
    const pipelineRoot = makeFolder();
    await interrupted(false, { pipelineRoot });
    const { folder } = await interrupted(false, { pipelineRoot });
    const { executor } = executorOf();
    const others = ["shell-other-2099-01-31-13-05-59-123", "shell-2099-01-31-13-05-59-123", "shell-2099"];
    for (const name of others) mkdirSync(join(pipelineRoot, name));
    const result = await runPipeline(chain, { pipelineRoot, resumeFrom: true, executor });
    expect(result).toMatchObject({ state: "SUCCEEDED", folder });
  });

  test("is told of when there is none", async () => {
    const pipelineRoot = join(makeFolder(), "runs");
    await expect(runPipeline(chain, { pipelineRoot, resumeFrom: true })).rejects.toThrow(
      `there is no run to resume: ${pipelineRoot} has none of the pipeline "shell"`,
    );
  });
});

test.each(["SUCCEEDED", "FAILED"])(
  "a run that has %s is over: it says that nothing was done",
  async (state) => {
    const tasks = { c: async () => ({ ok: state === "SUCCEEDED", message: "no" }) };
    const { folder } = await runPipeline(chain, {
      pipelineRoot: makeFolder(),
      executor: executorOf(tasks).executor,
    });
    const { executor, begun } = executorOf();
    const again = await runPipeline(chain, { resumeFrom: folder, executor });
    expect(begun).toEqual([]);
    expect(again).toMatchObject({ state, warnings: [expect.stringContaining("nothing was done")] });
  },
);
