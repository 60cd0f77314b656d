import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Executor, type RunPipelineOptions, runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

const cached = { cachingOptions: { enableCache: true } };
const pipeline = shellPipeline({
  make: { run: "", makes: true, task: cached },
  early: { run: "", reads: "make" },
  wait: { run: "", after: ["early"] },
  late: { run: "", after: ["wait"], gives: true, reads: "make" },
});

/** Runs the pipeline, and tells what was begun. */
async function run(options: RunPipelineOptions, during: Partial<Record<string, () => void>> = {}) {
  const begun: string[] = [];
  const executor: Executor = {
    execute: async ({ task: { id }, executorInput }) => {
      begun.push(id);
      during[id]?.();
      const [made] = executorInput.outputs?.artifacts.data?.artifacts ?? [];
      const [read] = executorInput.inputs?.artifacts.source?.artifacts ?? [];
      if (made !== undefined) {
        mkdirSync(made.uri);
        for (const name of ["one", "two"]) writeFileSync(join(made.uri, name), name);
      }
      const text = read === undefined ? "" : readdirSync(read.uri).join();
      return { ok: true, outputs: id === "late" ? { parameters: { out: text } } : {} };
    },
  };
  return { result: await runPipeline(pipeline, { executor, ...options }), begun };
}

/** Two runs, of which the second takes a result of the first, and is cancelled in the middle. */
async function interrupted() {
  const pipelineRoot = makeFolder();
  const options = { pipelineRoot, cache: true };
  const first = await run(options);
  const user = new AbortController();
  const second = await run({ ...options, signal: user.signal }, { wait: () => user.abort() });
  expect([second.result.state, second.begun]).toEqual(["CANCELLED", ["early", "wait"]]);
  return { first: first.result.folder, resumeFrom: second.result.folder };
}

describe("a run that is resumed", () => {
  test("keeps what it took from the cache while that is there", async () => {
    const { resumeFrom } = await interrupted();
    const { result, begun } = await run({ resumeFrom });
    expect([result.state, begun]).toEqual(["SUCCEEDED", ["late"]]);
  });

  test("does again what it took from the cache and is gone, and all that came after it", async () => {
    const { first, resumeFrom } = await interrupted();
    rmSync(first, { recursive: true });
    const { result, begun } = await run({ resumeFrom });
    expect([result.state, result.error, begun]).toEqual([
      "SUCCEEDED",
      undefined,
      ["make", "early", "wait", "late"],
    ]);
    expect(result.tasks.at(-1)?.outputs?.parameters).toEqual({ out: "one,two" });
    expect(result.warnings.join()).toContain(
      "what make had taken from the cache is gone or has changed, and it is done again",
    );
    // The journal says so too.
    const again = await run({ resumeFrom });
    expect([again.result.state, again.begun, again.result.tasks[0]?.cached]).toEqual([
      "SUCCEEDED",
      [],
      undefined,
    ]);
  });

  test.each<[string, (data: string) => void]>([
    ["is partly gone", (data) => rmSync(join(data, "two"))],
    ["says something else", (data) => writeFileSync(join(data, "one"), "other")],
    ["has as many bytes, written later", (data) => writeFileSync(join(data, "one"), "eno")],
    ["has more", (data) => writeFileSync(join(data, "three"), "")],
    ["is another kind of thing", (data) => void [rmSync(join(data, "one")), mkdirSync(join(data, "one"))]],
  ])("does again what it took from the cache and %s", async (_, change) => {
    const { first, resumeFrom } = await interrupted();
    change(join(first, "make", "data"));
    const { result, begun } = await run({ resumeFrom });
    expect([result.state, begun]).toEqual(["SUCCEEDED", ["make", "early", "wait", "late"]]);
    expect(result.tasks.at(-1)?.outputs?.parameters).toEqual({ out: "one,two" });
  });

  test("keeps what it took from the cache where the journal says so when the folder is moved", async () => {
    const { resumeFrom } = await interrupted();
    const moved = join(makeFolder(), "moved");
    renameSync(resumeFrom, moved);
    const { result, begun } = await run({ resumeFrom: moved });
    expect([result.state, begun]).toEqual(["SUCCEEDED", ["late"]]);
  });

  test("and was over stays as it ended", async () => {
    const { first, resumeFrom } = await interrupted();
    await run({ resumeFrom });
    const journal = readFileSync(join(resumeFrom, "run.jsonl"), "utf8");
    rmSync(first, { recursive: true });
    const { result, begun } = await run({ resumeFrom });
    expect([result.state, begun]).toEqual(["SUCCEEDED", []]);
    expect(readFileSync(join(resumeFrom, "run.jsonl"), "utf8")).toBe(journal);
  });
});
