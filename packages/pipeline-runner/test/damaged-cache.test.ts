import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { runPipeline } from "../src/node/index.js";
import { pipelineOf, says } from "./cached-pipeline.js";
import { makeFolder } from "./make-folder.js";

const pipeline = pipelineOf("damaged", { say: says(`printf hello > "$0"`) });

/** A result that is kept, its file, and what a run says with it. */
async function kept() {
  const [pipelineRoot, cache] = [makeFolder(), makeFolder()];
  const say = async () => {
    const { tasks } = await runPipeline(pipeline, { pipelineRoot, cache });
    return [tasks[0]?.outputs?.parameters.o, tasks[0]?.cached ?? false];
  };
  await say();
  const file = join(cache, readdirSync(cache)[0] ?? "");
  expect(await say()).toEqual(["hello", true]);
  return { file, say };
}

test.each<[string, (from: string, to: string) => void]>([
  ["copied", copyFileSync],
  ["linked", (from, to) => void [rmSync(to), symlinkSync(from, to)]],
])("a result that was %s to the place of another is not taken for it", async (_, put) => {
  const [pipelineRoot, cache] = [makeFolder(), makeFolder()];
  const saying = async (word: string) => {
    const parts = { say: says(`printf ${word} > "$0"`) };
    const { tasks } = await runPipeline(pipelineOf("swapped", parts), { pipelineRoot, cache });
    return [tasks[0]?.outputs?.parameters.o, tasks[0]?.cached ?? false];
  };
  await saying("one");
  const [one = ""] = readdirSync(cache);
  await saying("two");
  const two = readdirSync(cache).find((name) => name !== one) ?? "";
  put(join(cache, one), join(cache, two));
  expect([await saying("two"), await saying("two"), await saying("one")]).toEqual([
    ["two", false],
    ["two", true],
    ["one", true],
  ]);
});

test.each<[string, (file: string) => void]>([
  ["another text in it", (file) => writeFileSync(file, readFileSync(file, "utf8").replace("hello", "hallo"))],
  [
    "another name in it",
    (file) => writeFileSync(file, readFileSync(file, "utf8").replace("stamps", "stomps")),
  ],
  ["half of it", (file) => truncateSync(file, statSync(file).size / 2)],
  ["nothing in it", (file) => writeFileSync(file, "")],
  ["a pipe in its place", (file) => void [rmSync(file), execFileSync("mkfifo", [file])]],
  ["a link that leads nowhere", (file) => void [rmSync(file), symlinkSync("nowhere", file)]],
])("a result that was kept, with %s, lets the task run again, and is kept anew", async (_, damage) => {
  const { file, say } = await kept();
  damage(file);
  expect(await say()).toEqual(["hello", false]);
  expect(await say()).toEqual(["hello", true]);
});

test("a folder in the place of a result lets the task run, each time", async () => {
  const { file, say } = await kept();
  rmSync(file);
  mkdirSync(file);
  expect(await say()).toEqual(["hello", false]);
  expect(await say()).toEqual(["hello", false]);
});

describe("a result that somebody has written who knows how", () => {
  const outputs = { parameters: { o: "old" }, artifacts: {} };
  const write = (file: string, entry: unknown) => {
    const text = JSON.stringify(entry);
    const sum = createHash("sha256")
      .update(`${basename(file)}\n${text}`)
      .digest("hex");
    writeFileSync(file, `${sum}\n${text}`);
  };

  test("is taken when it is one", async () => {
    const { file, say } = await kept();
    write(file, { outputs, stamps: {} });
    expect(await say()).toEqual(["old", true]);
  });

  test.each<[string, unknown]>([
    ["nothing", null],
    ["a list", []],
    ["of an earlier version", outputs],
    ["without outputs", { stamps: {} }],
    ["without stamps", { outputs }],
    ["without artifacts", { outputs: { parameters: outputs.parameters }, stamps: {} }],
    ["without parameters", { outputs: { artifacts: {} }, stamps: {} }],
    ["without one of the outputs", { outputs: { ...outputs, parameters: {} }, stamps: {} }],
    ["with one more output", { outputs: { ...outputs, parameters: { o: "old", more: "old" } }, stamps: {} }],
    ["with one more artifact", { outputs: { ...outputs, artifacts: { a: { artifacts: [] } } }, stamps: {} }],
    ["with artifacts that are no list", { outputs: { ...outputs, artifacts: { a: 3 } }, stamps: {} }],
  ])("and that is %s lets the task run, and is kept anew", async (_, entry) => {
    const { file, say } = await kept();
    const whole = readFileSync(file, "utf8");
    write(file, entry);
    expect(await say()).toEqual(["hello", false]);
    expect(readFileSync(file, "utf8")).toBe(whole);
  });
});
