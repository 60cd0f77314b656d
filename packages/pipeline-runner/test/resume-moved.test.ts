import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { type Executor, runPipeline, subprocessExecutor } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

const pipeline = shellPipeline({
  a: { run: `echo data > "$2"; printf %s "$2" > "$1"`, makes: true, gives: true },
  w: { run: "", after: ["a"] },
  c: {
    run: `printf '%s %s %s' "$4" "$3" "$(cat "$4")" > "$1"`,
    after: ["w"],
    reads: "a",
    takes: "a",
    gives: true,
  },
});

/** A run that was cancelled while `w` ran. */
async function interrupted(): Promise<string> {
  const user = new AbortController();
  const shell = subprocessExecutor();
  const executor: Executor = {
    execute: async (work, context) => {
      if (work.task.id !== "w") return shell.execute(work, context);
      user.abort();
      return { ok: false, message: "stopped" };
    },
  };
  const { state, folder } = await runPipeline(pipeline, {
    pipelineRoot: join(makeFolder(), "first [place] 100%"),
    executor,
    signal: user.signal,
  });
  expect(state).toBe("CANCELLED");
  return folder;
}

/** What `c` was given, and has read. */
async function resumed(folder: string) {
  const { error, tasks } = await runPipeline(pipeline, { resumeFrom: folder });
  expect(error).toBeUndefined();
  return tasks.find(({ id }) => id === "c")?.outputs?.parameters.out;
}

describe("a run goes on with the files of its folder", () => {
  test("when that was moved, twice", async () => {
    const first = await interrupted();
    const [second, third] = [join(makeFolder(), "moved"), join(makeFolder(), `"quoted"`)];
    renameSync(first, second);
    const user = new AbortController();
    user.abort();
    await runPipeline(pipeline, { resumeFrom: second, signal: user.signal });
    renameSync(second, third);
    const data = join(third, "a", "data");
    expect(await resumed(third)).toBe(`${data} ${data} data`);
    expect(readFileSync(join(third, "run.jsonl"), "utf8")).not.toContain("first [place]");
  });

  test("when that is a copy, and leaves the original alone", async () => {
    const original = await interrupted();
    const copy = `${original}-2`;
    cpSync(original, copy, { recursive: true });
    const journal = readFileSync(join(original, "run.jsonl"), "utf8");
    writeFileSync(join(original, "a", "data"), "changed");
    const data = join(copy, "a", "data");
    expect(await resumed(copy)).toBe(`${data} ${data} data`);
    expect(readFileSync(join(original, "run.jsonl"), "utf8")).toBe(journal);
    const own = join(original, "a", "data");
    expect(await resumed(pathToFileURL(original).href)).toBe(`${own} ${own} changed`);
  });
});
