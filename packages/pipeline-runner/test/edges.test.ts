import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { PipelineRunError, startRun } from "../src/index.js";
import {
  type Executor,
  functionExecutor,
  type RunPipelineOptions,
  runPipeline,
  subprocessExecutor,
} from "../src/node/index.js";
import { schemeOf } from "../src/node/local-path.js";
import { renderRunReport } from "../src/report/index.js";
import { importing } from "./importing-pipeline.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

const work = { execute: async () => ({ ok: true }) as const };

test.each([
  ["no other executor", undefined, 5000],
  ["one that is sooner over", { ...work, endsWithinMs: 1000 }, 5000],
  ["one that takes longer", { ...work, endsWithinMs: 60_000 }, 60_000],
  ["one that does not say", work, 30_000],
])("functions beside %s end in time", (_, otherwise, endsWithinMs) => {
  const executor = functionExecutor({}, otherwise === undefined ? {} : { otherwise });
  expect(executor.endsWithinMs).toBe(endsWithinMs);
});

test.each([
  ["S3://bucket/key", "s3"],
  ["minio+tls://bucket", "minio+tls"],
  ["FILE:/tmp/a", "file"],
  ["s3:bucket", ""],
  ["/tmp/a://b", ""],
  ["3s://bucket", ""],
  ["", ""],
])("the scheme of %j is %j", (uri, scheme) => expect(schemeOf(uri)).toBe(scheme));

test.each([
  ["entrypoint", { entrypoint: ["sh", 1] }],
  ["path", { path: ["/bin", null] }],
  ["path", { path: "/bin" }],
])("the %s of an image is a list of texts: not %j", (option, image) => {
  // Callers without types get here.
  const images: never = { alpine: image } as never;
  expect(() => subprocessExecutor({ images })).toThrow(`the option "${option}" of the image "alpine"`);
});

describe("a command", () => {
  const run = (command: readonly string[], options: RunPipelineOptions = {}) =>
    runPipeline(shellPipeline({ a: { run: "" } }, { command, args: [] }), {
      pipelineRoot: makeFolder(),
      ...options,
    });

  test("with a path is the program there, whatever else has the name", async () => {
    expect((await run(["/bin/sh", "-c", "exit 0"])).state).toBe("SUCCEEDED");
    const { error } = await run(["/nowhere/sh", "-c", "exit 0"]);
    expect(error?.message).toContain('there is no program "/nowhere/sh" on this machine');
  });

  test.each([
    [300, ""],
    [301, "…"],
  ])("that fails is told of with the end of its last line: of %i characters", async (length, before) => {
    const { error } = await run(["sh", "-c", `printf '%0${length}d\\n' 7; exit 3`]);
    expect(/…?0+7/.exec(error?.message ?? "")?.[0]).toBe(`${before}${"0".repeat(299)}7`);
  });

  test("with a placeholder of nothing fails the task, and says what is missing", async () => {
    const of = (name: string) => `{{$.inputs.parameters['${name}']}}`;
    const { state, error } = await run(["echo", of("none"), of("other")], { validate: false });
    expect([state, error?.message]).toEqual([
      "FAILED",
      expect.stringMatching(/^the container cannot be filled in: \S+1: .*none[^;]*; \S+2: .*other[^;]*$/),
    ]);
  });
});

test.each([2 ** 20, 2 ** 20 + 1])("a file of %i bytes comes whole into the workspace", async (size) => {
  const file = join(makeFolder(), "data");
  writeFileSync(file, randomBytes(size));
  const result = await runPipeline(importing(file, "true"), { pipelineRoot: makeFolder(), validate: false });
  const path = result.tasks.find(({ name }) => name === "bring")?.outputs?.artifacts.artifact?.artifacts[0]
    ?.customPath;
  expect(readFileSync(path ?? "").equals(readFileSync(file))).toBe(true);
});

test.each([
  ["file://elsewhere/data", 1, "bring: file://elsewhere/data names the machine elsewhere: "],
  ["file:data", 1, "bring: file:data is no path: "],
  ["/nowhere/data", 3, "there is nothing to import at /nowhere/data"],
])(
  "an import of %s is tried %i times: another time helps only where it can",
  async (uri, attempts, words) => {
    const pipeline = importing(uri, "true", { retries: 2 });
    const result = await runPipeline(pipeline, { pipelineRoot: makeFolder(), validate: false });
    const bring = result.tasks.find(({ name }) => name === "bring");
    expect([bring?.state, bring?.attempts]).toEqual(["FAILED", attempts]);
    expect(`bring: ${bring?.error?.message}`).toContain(words);
  },
);

test("runs that start in the same moment have folders of their own, after which they are called", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 31, 13, 5, 59, 7) });
  onTestFinished(() => void vi.useRealTimers());
  const pipelineRoot = makeFolder();
  const told: unknown[] = [];
  const executor = functionExecutor({ a: (_, { environment }) => void told.push(environment.TOLD) });
  const env = { TOLD: "{{$.pipeline_job_resource_name}} {{$.pipeline_root}}" };
  const folders: string[] = [];
  for (let number = 1; number <= 4; number++) {
    const { folder } = await runPipeline(shellPipeline({ a: { run: "", env } }), { pipelineRoot, executor });
    folders.push(folder);
  }
  const first = "shell-2026-01-31-13-05-59-007";
  const names = [first, ...[2, 3, 4].map((number) => `${first}-${number}`)];
  expect(folders).toEqual(names.map((name) => join(pipelineRoot, name)));
  expect(told).toEqual(names.map((name) => `${name} ${pipelineRoot}`));
});

test("of what is said of a pipeline that is refused, the errors are thrown", async () => {
  const after = { dependentTasks: ["nobody"], triggerPolicy: { condition: "1 + 1 == 2" } };
  const refused = runPipeline(shellPipeline({ "A-odd_name": { run: "true", task: after } }), {
    pipelineRoot: makeFolder(),
  });
  const error: unknown = await refused.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PipelineRunError);
  const severities = new Set((error as PipelineRunError).problems?.map(({ severity }) => severity));
  expect([...severities]).toEqual(["error"]);
});

test("an attempt that failed is told of with how many there may be", () => {
  const retryPolicy = { maxRetryCount: 2, backoffDuration: "3s" };
  const run = startRun(shellPipeline({ a: { run: "true", task: { retryPolicy } } }), { at: 0 });
  run.report("a", { state: "RUNNING", at: 0 });
  run.report("a", { state: "FAILED", at: 0, error: { message: "no luck" } });
  expect(run.events.at(-1)?.reason).toMatch(/^attempt 1 of 3 failed: no luck; the next one /);
});

/** A loop in a DAG in a loop, each over two items. */
function nestedLoops(): Pipeline {
  const iterator = { items: { raw: "[1,2]" }, itemInput: "item" };
  const inputDefinitions = { parameters: { item: { parameterType: "NUMBER_INTEGER" } } };
  const of = (component: string, more: object = {}) => ({ componentRef: { name: component }, ...more });
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "nested" },
      schemaVersion: "2.1.0",
      root: { dag: { tasks: { outer: of("comp-outer", { parameterIterator: iterator }) } } },
      components: {
        "comp-outer": { inputDefinitions, dag: { tasks: { group: of("comp-group") } } },
        "comp-group": { dag: { tasks: { inner: of("comp-inner", { parameterIterator: iterator }) } } },
        "comp-inner": { inputDefinitions, executorLabel: "exec" },
      },
      deploymentSpec: {
        executors: { exec: { container: { image: "alpine", command: ["sh", "-c", "exit 0"] } } },
      },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message);
}

describe("loops in loops", () => {
  test("have a folder for each iteration, in that of what they are in", async () => {
    const { state, folder } = await runPipeline(nestedLoops(), { pipelineRoot: makeFolder() });
    expect(state).toBe("SUCCEEDED");
    const inner = [0, 1].flatMap((outer) =>
      [0, 1].map((at) => join(folder, `outer-iteration-${outer}`, "group", `inner-iteration-${at}`)),
    );
    expect(inner.filter((path) => !existsSync(join(path, "log-1.txt")))).toEqual([]);
  });

  test("are shown in the report by their numbers, with how many of them have ended", () => {
    const pipeline = nestedLoops();
    const run = startRun(pipeline, { at: 0 });
    const [first] = run.ready();
    if (first === undefined) return expect.unreachable("nothing is ready");
    run.report(first.id, { state: "RUNNING", at: 0 });
    run.report(first.id, { state: "SUCCEEDED", at: 1000 });
    const { state, tasks, events, inputs, outputs, error } = run;
    const html = renderRunReport({ pipeline, state, tasks, events, inputs, outputs, error });
    const rows = Array.from(
      html.matchAll(/<span class="name">([^<]*)<\/span><span class="state">([^<]*)<\/span>/g),
      ([, name, said]) => [name, said],
    );
    expect(rows).toContainEqual(["inner", "running · 1/2"]);
    expect(rows.filter(([name]) => name === "inner [0]")).toEqual([
      ["inner [0]", "succeeded"],
      ["inner [0]", "queued"],
    ]);
  });
});

test("a task of a loop is told its name and its id, and what is odd about it is told with the id", async () => {
  const told: unknown[] = [];
  const metadata = `{"n": ${2n ** 60n}}`;
  const executor: Executor = {
    execute: async ({ environment, executorInput: { outputs } }) => {
      told.push(environment.TOLD);
      const output = `{"artifacts": {"data": {"artifacts": [{"metadata": ${metadata}}]}}}`;
      writeFileSync(outputs?.outputFile ?? "", output);
      return { ok: true };
    },
  };
  const env = { TOLD: "{{$.pipeline_task_name}} {{$.pipeline_task_uuid}}" };
  const task = { parameterIterator: { items: { raw: "[1]" }, itemInput: "in" } };
  const { warnings, error } = await runPipeline(shellPipeline({ a: { run: "", makes: true, env, task } }), {
    pipelineRoot: makeFolder(),
    executor,
    validate: false,
  });
  expect([error, told]).toEqual([undefined, ["a a[0]"]]);
  expect(warnings).toEqual([expect.stringMatching(/^a\[0\]: the metadata of its output artifact data /)]);
});

test("a run of the API that lacks a value is run when that is given, and refused when it is not", async () => {
  const type = { parameterType: "NUMBER_INTEGER" };
  const parsed = parsePipeline(
    JSON.stringify({
      run_id: "r",
      pipeline_spec: {
        ...{ pipelineInfo: { name: "lacking" }, schemaVersion: "2.1.0", sdkVersion: "kfp-2.0.0" },
        root: {
          inputDefinitions: { parameters: { m: type, n: type } },
          dag: { tasks: { a: { taskInfo: { name: "a" }, componentRef: { name: "comp-a" } } } },
        },
        components: { "comp-a": { executorLabel: "exec-a" } },
        deploymentSpec: { executors: { "exec-a": { container: { image: "alpine", command: ["true"] } } } },
      },
      runtime_config: { parameters: { m: 1 } },
    }),
  );
  const lacking = parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
  const options = { pipelineRoot: makeFolder(), executor: work };
  expect(await runPipeline(lacking, { ...options, parameters: { n: 2 } })).toMatchObject({
    state: "SUCCEEDED",
    inputs: { parameters: { m: 1, n: 2 } },
  });
  await expect(runPipeline(lacking, options)).rejects.toMatchObject({ code: "parameters" });
});

test("a file is no run to resume", async () => {
  const resumeFrom = join(makeFolder(), "file");
  writeFileSync(resumeFrom, "");
  await expect(runPipeline(shellPipeline({ a: { run: "" } }), { resumeFrom })).rejects.toThrow(
    `there is no run to resume: there is no folder ${resumeFrom}`,
  );
});
