import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import {
  functionExecutor,
  type RunPipelineOptions,
  runPipeline,
  subprocessExecutor,
} from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { type ShellTask, shellPipeline } from "./shell-pipeline.js";

function corpus(file: string): Pipeline {
  const url = new URL(`../../pipeline-spec/testdata/pipelines/valid/${file}`, import.meta.url);
  const parsed = parsePipeline(readFileSync(url, "utf8"));
  return parsed.ok ? parsed.pipeline : expect.unreachable(file);
}

/** The resources that some container of a file asks for. */
function resourcesOf(file: string) {
  const found = Object.values(corpus(file).deployment.executors).flatMap(({ spec }) =>
    spec?.$case === "container" && spec.value.resources !== undefined ? [spec.value.resources] : [],
  );
  return found[0] ?? expect.unreachable(`${file} asks for none`);
}

const runShell = (tasks: Readonly<Record<string, ShellTask>>, options: RunPipelineOptions = {}) =>
  runPipeline(shellPipeline(tasks), { pipelineRoot: makeFolder(), ...options });

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
};
const stateOf = (result: Awaited<ReturnType<typeof runShell>>, id: string) =>
  result.tasks.find((task) => task.id === id)?.state;

describe("functions", () => {
  const add = ({ a, b }: { readonly [name: string]: unknown }) => ({ Output: Number(a) + Number(b) });

  test("run by the name of their component", async () => {
    const executor = functionExecutor({ "add-numbers": add });
    const options = { parameters: { a: 5, b: 5 }, pipelineRoot: makeFolder(), executor };
    const result = await runPipeline(corpus("critical/add_numbers.yaml"), options);
    expect(result).toMatchObject({
      state: "SUCCEEDED",
      outputs: { parameters: { Output: 10 } },
      warnings: [],
    });
  });

  test.each([
    ["has another name", { "add-number": add }, `there is no function for the component "comp-add-numbers"`],
    ["throws", { "add-numbers": () => Promise.reject(new Error("no luck")) }, "no luck"],
    ["returns what is no object", { "add-numbers": () => 3 }, "returns its outputs by name, as an object"],
    [
      "returns what is not declared",
      { "add-numbers": () => ({ Outputs: 3 }) },
      `no output parameter "Outputs"; did you mean "Output"?`,
    ],
    ["returns nothing", { "add-numbers": () => undefined }, "has not written its output parameter Output"],
    [
      "returns what is no JSON",
      { "add-numbers": () => ({ Output: Number.NaN }) },
      "is no JSON: it holds the number NaN",
    ],
  ])("one that %s fails the task", async (_, functions, message) => {
    const options = {
      parameters: { a: 5, b: 5 },
      pipelineRoot: makeFolder(),
      executor: functionExecutor(functions),
    };
    const result = await runPipeline(corpus("critical/add_numbers.yaml"), options);
    expect(result.state).toBe("FAILED");
    expect(result.error?.message).toContain(message);
  });
});

describe("processes", () => {
  test("hand parameters and artifacts to each other through files", async () => {
    const result = await runShell({
      first: {
        run: `printf hello > "$1"; mkdir "$2"; echo data > "$2/file"; echo printed`,
        gives: true,
        makes: true,
      },
      second: {
        run: `printf "$3 " > "$1"; cat "$4/file" >> "$1"`,
        gives: true,
        takes: "first",
        reads: "first",
      },
    });
    expect(result.error).toBeUndefined();
    const second = result.tasks.find(({ id }) => id === "second");
    expect(second?.outputs?.parameters).toEqual({ out: "hello data\n" });
    const [first] = result.tasks;
    expect(readFileSync(first?.log ?? "", "utf8")).toBe("printed\n");
    expect(first?.folder).toBe(join(result.folder, "first"));
    expect(result.warnings).toEqual([
      "the image alpine is not used: its commands run with what this machine has",
    ]);
  });

  test("get variables: those of this process, of the image, of the container", async () => {
    const executor = subprocessExecutor({
      environment: { PATH: process.env.PATH, A: "process", B: "process", C: "process" },
      images: { alpine: { environment: { B: "image", C: "image" } } },
    });
    const result = await runShell(
      { show: { run: `printf "$A $B $C $D" > "$1"`, gives: true, env: { C: "container", D: "$(C)+" } } },
      { executor },
    );
    expect(result.tasks[0]?.outputs?.parameters).toEqual({ out: "process image container container+" });
    expect(result.warnings).toEqual([]);
  });

  test("get variables of any name, also those that shells do not keep", async () => {
    const env = { "spring.port": "80", "BASH_FUNC_f%%": "() { :; }", "-i": "a=b", OK: "c" };
    const pipeline = shellPipeline({ show: { run: "", env } }, { command: ["env"], args: [] });
    const executor = subprocessExecutor({ environment: { PATH: process.env.PATH, "of.host": "d" } });
    const result = await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor });
    const lines = readFileSync(result.tasks[0]?.log ?? "", "utf8").split("\n");
    expect(lines).toEqual(
      expect.arrayContaining(["spring.port=80", "BASH_FUNC_f%%=() { :; }", "-i=a=b", "OK=c", "of.host=d"]),
    );
  });

  test("find programs in the folders of their image first", async () => {
    const bin = makeFolder();
    writeFileSync(join(bin, "greet"), "#!/bin/sh\nprintf hi\n");
    chmodSync(join(bin, "greet"), 0o755);
    const executor = subprocessExecutor({ images: { alpine: { path: [bin] } } });
    const result = await runShell({ show: { run: `greet > "$1"`, gives: true } }, { executor });
    expect(result.tasks[0]?.outputs?.parameters).toEqual({ out: "hi" });
  });

  test.each<[string, ShellTask, string, number | undefined]>([
    ["exits with a code", { run: "echo because; exit 3" }, "exit code 3: because", 3],
    ["is killed", { run: "kill -9 $$$$" }, "it was killed by SIGKILL", undefined],
    [
      "does not write its output",
      { run: "true", gives: true },
      "it has not written its output parameter out",
      undefined,
    ],
    [
      "writes a wrong executor output",
      { run: `echo nonsense > executor_output.json` },
      "the executor output is no JSON",
      undefined,
    ],
  ])("one that %s fails the task", async (_, task, message, code) => {
    const result = await runShell({ task });
    expect(result.state).toBe("FAILED");
    expect(result.error?.message).toContain(message);
    expect(result.error?.code).toBe(code);
  });

  test("of unknown images are refused when that is asked for", async () => {
    const executor = subprocessExecutor({ unknownImages: "refuse", images: { debian: {} } });
    const result = await runShell({ task: { run: "true" } }, { executor });
    expect(result.error?.message).toContain("nothing says what the image alpine is on this machine");
  });

  test("leave nothing behind: what they started ends with them", async () => {
    const result = await runShell({ task: { run: `sleep 1000 & echo $! > "$1"`, gives: true } });
    expect(result.state).toBe("SUCCEEDED");
    const pid = Number(result.tasks[0]?.outputs?.parameters.out);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test("that flood their output are heard to the end, and their log is bounded", async () => {
    const result = await runShell({
      task: { run: "head -c 70000000 /dev/zero | tr '\\0' x; echo; echo the end" },
    });
    const log = readFileSync(result.tasks[0]?.log ?? "", "utf8");
    expect(log.length).toBeLessThan(67 * 2 ** 20);
    expect(log).toMatch(/\[\d+ bytes are left out here\]/);
    expect(log.endsWith("the end\n")).toBe(true);
  });

  test("are killed when they do not end in their time", async () => {
    const executor = subprocessExecutor({ timeoutMs: 200, graceMs: 100 });
    const result = await runShell(
      { task: { run: "trap '' TERM; sleep 1000 & wait; sleep 1000" } },
      { executor },
    );
    expect(result.error?.message).toBe("its time of 0.2 s was over");
  });
});

describe("what does not hold on this machine", () => {
  test("is told once: resources, and settings of platforms", async () => {
    const pipeline = corpus("kubernetes_platform/secret_as_env.yaml");
    const executors = Object.values(pipeline.deployment.executors);
    const resources = resourcesOf("gpu-scheduling/nvidia_gpu_scheduling_check.yaml");
    for (const { spec } of executors) if (spec?.$case === "container") spec.value.resources = resources;
    for (const { spec } of executors) if (spec?.$case === "container") spec.value.command = ["true"];
    const { platforms = {} } = pipeline.platform ?? {};
    Object.assign(platforms, { other: platforms.kubernetes });
    const result = await runPipeline(pipeline, { pipelineRoot: makeFolder(), validate: false });
    const told = result.warnings.filter((one) => /resources that|settings of platforms/.test(one));
    expect(told.toSorted()).toEqual([
      "settings of platforms do not hold here, such as secrets and volumes: kubernetes, other",
      "the resources that containers ask for are not enforced: their commands have what this machine has",
    ]);
  });
});

describe("failures", () => {
  test("are tried again in an empty folder, with a log for each attempt", async () => {
    const counter = join(makeFolder(), "attempts");
    const result = await runShell({
      task: {
        run: `test -e "$1" && exit 9; echo x >> ${counter}; echo try; printf done > "$1"; test $(wc -l < ${counter}) -ge 3`,
        gives: true,
        task: { retryPolicy: { maxRetryCount: 2, backoffDuration: "0.01s" } },
      },
    });
    expect(result.tasks[0]).toMatchObject({ state: "SUCCEEDED", attempts: 3 });
    expect(readdirSync(result.tasks[0]?.folder ?? "").sort()).toEqual([
      "log-1.txt",
      "log-2.txt",
      "log-3.txt",
      "out",
    ]);
  });

  test("skip what depends on them, and nothing else", async () => {
    const result = await runShell({
      bad: { run: "exit 1" },
      next: { run: "true", after: ["bad"] },
      other: { run: "true" },
      exit: {
        run: "true",
        after: ["bad"],
        task: { triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" } },
      },
    });
    expect(result.error).toMatchObject({ task: "bad", code: 1 });
    expect(["bad", "next", "other", "exit"].map((id) => stateOf(result, id))).toEqual([
      "FAILED",
      "SKIPPED",
      "SUCCEEDED",
      "SUCCEEDED",
    ]);
  });

  test("of callbacks are warnings", async () => {
    const throws = () => {
      throw new Error("not my day");
    };
    const result = await runShell({ task: { run: "echo hi" } }, { onEvent: throws, onLog: throws });
    expect(result.state).toBe("SUCCEEDED");
    expect(result.warnings).toContain("onEvent threw: not my day");
    expect(result.warnings).toContain("onLog threw: not my day");
  });
});

describe("cancelling", () => {
  test("ends what runs, with its children, and starts nothing more", async () => {
    const controller = new AbortController();
    const pids = join(makeFolder(), "pids");
    const run = runShell(
      { long: { run: `sleep 1000 & echo $! $$$$ > ${pids}; wait` }, next: { run: "true", after: ["long"] } },
      { signal: controller.signal },
    );
    await expect.poll(() => existsSync(pids) && readFileSync(pids, "utf8").endsWith("\n")).toBe(true);
    controller.abort();
    const result = await run;
    expect(result.state).toBe("CANCELLED");
    expect([stateOf(result, "long"), stateOf(result, "next")]).toEqual(["CANCELLED", "CANCELLED"]);
    for (const pid of readFileSync(pids, "utf8").split(/\s+/)) {
      await expect.poll(() => pid !== "" && isAlive(Number(pid))).toBe(false);
    }
  });

  test("comes by itself when the time is over, or before the start", async () => {
    const late = await runShell({ long: { run: "sleep 1000" } }, { timeoutMs: 100 });
    expect([late.state, late.events.at(-1)?.task]).toEqual(["CANCELLED", ""]);
    const never = await runShell({ task: { run: "true" } }, { signal: AbortSignal.abort() });
    expect([never.state, never.tasks[0]?.attempts]).toEqual(["CANCELLED", 0]);
  });
});

describe("the cache", () => {
  const cached = { cachingOptions: { enableCache: true } };

  test("gives the results of earlier runs, until their artifacts are gone", async () => {
    const marks = join(makeFolder(), "marks");
    const tasks = {
      make: {
        run: `echo x >> ${marks}; echo data > "$2"; printf v > "$1"`,
        gives: true,
        makes: true,
        task: cached,
      },
      use: { run: `echo y >> ${marks}; cat "$4" > "$1"`, gives: true, reads: "make", task: cached },
    };
    const pipelineRoot = makeFolder();
    const run = () => runShell(tasks, { pipelineRoot, cache: true });
    const first = await run();
    const second = await run();
    expect(readFileSync(marks, "utf8")).toBe("x\ny\n");
    expect(second.tasks.map(({ cached: hit, attempts }) => [hit, attempts])).toEqual([
      [true, 0],
      [true, 0],
    ]);
    expect(second.tasks[1]?.outputs).toEqual(first.tasks[1]?.outputs);
    execFileSync("rm", [join(first.folder, "make", "data")]);
    await run();
    expect(readFileSync(marks, "utf8")).toBe("x\ny\nx\ny\n");
  });

  test("is off unless it is asked for, and for tasks that do not allow it", async () => {
    const pipelineRoot = makeFolder();
    await runShell({ a: { run: "true", task: cached } }, { pipelineRoot });
    const other = await runShell(
      { b: { run: "true" } },
      { pipelineRoot, cache: join(pipelineRoot, "cache") },
    );
    expect(other.tasks[0]?.cached).toBeUndefined();
    expect(readdirSync(pipelineRoot).filter((name) => name.includes("cache"))).toEqual([]);
  });
});

describe("resuming", () => {
  const tasks = (marks: string): Readonly<Record<string, ShellTask>> => ({
    a: { run: `echo a >> ${marks}; printf 1 > "$1"`, gives: true },
    b: { run: `echo b >> ${marks}; printf "$3+" > "$1"`, gives: true, takes: "a" },
  });

  test("does again only what had not finished", async () => {
    const marks = join(makeFolder(), "marks");
    const whole = await runShell(tasks(marks));
    const journal = join(whole.folder, "run.jsonl");
    const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
    const beginOfB = lines.findIndex((line) => line.includes(`"task":"b"`));
    // As if the process had been killed while b ran, in the middle of a write.
    writeFileSync(journal, `${lines.slice(0, beginOfB + 1).join("\n")}\n{"kind":"rep`);
    const resumeFrom = pathToFileURL(whole.folder).href;
    const result = await runPipeline(shellPipeline(tasks(marks)), { resumeFrom });
    expect(result.state).toBe("SUCCEEDED");
    expect(result.tasks.map(({ attempts }) => attempts)).toEqual([1, 1]);
    expect(result.tasks[1]?.outputs?.parameters).toEqual({ out: "1+" });
    expect(readFileSync(marks, "utf8")).toBe("a\nb\nb\n");
  });

  test("is refused for what is no run, another pipeline, a damaged journal, and while another process works on it", async () => {
    const marks = join(makeFolder(), "marks");
    const { folder } = await runShell(tasks(marks));
    const resume = (pipeline = shellPipeline(tasks(marks)), resumeFrom = folder) =>
      runPipeline(pipeline, { resumeFrom });
    const refused = (run: Promise<unknown>, code: string, text: string) =>
      expect(run).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
    const empty = makeFolder();
    const noRun = `there is no run to resume: ${empty} is no folder of a run, it has no run.jsonl`;
    await refused(resume(undefined, empty), "snapshot", noRun);
    const nowhere = join(makeFolder(), "none");
    await refused(resume(undefined, nowhere), "snapshot", `there is no folder ${nowhere}`);
    await refused(resume(shellPipeline({ a: { run: "true" } })), "snapshot", "is of another pipeline");
    writeFileSync(join(folder, "run.lock"), String(process.ppid));
    await refused(resume(), "state", `process ${process.ppid} is working on the run`);
    writeFileSync(join(folder, "run.lock"), "999999999");
    expect((await resume()).state).toBe("SUCCEEDED");
    const journal = join(folder, "run.jsonl");
    writeFileSync(journal, readFileSync(journal, "utf8").replace("\n", "\n{]\n"));
    await refused(resume(), "snapshot", "run.jsonl:2 is not as it was written");
    writeFileSync(journal, readFileSync(journal, "utf8").slice(0, 100));
    await refused(resume(), "snapshot", "run.jsonl ends within its first line");
    writeFileSync(journal, "");
    await refused(resume(), "snapshot", "run.jsonl is empty: the run had not started");
  });
});

describe("what prevents a run is thrown", () => {
  test("wrong pipelines, wrong parameters, wrong options", async () => {
    const pipelineRoot = makeFolder();
    const sum = corpus("critical/add_numbers.yaml");
    await expect(runPipeline(sum, { pipelineRoot, parameters: { a: "x", c: 1 } })).rejects.toThrow(
      /the run cannot start with these inputs\n.*\n.*/,
    );
    const broken = shellPipeline({ task: { run: "true", after: ["nobody"] } });
    await expect(runPipeline(broken, { pipelineRoot })).rejects.toThrow(
      "the pipeline has errors, and is not run",
    );
    const wrong: RunPipelineOptions[] = [
      { concurrency: 0 },
      { concurrency: 1.5 },
      { timeoutMs: 2 ** 31 },
      { pipelineRoot: "gs://bucket/root" },
      { pipelineRoot: "" },
      { pipelineRoot: "file://" },
      { cache: "gs://bucket/cache" },
      { cache: "" },
      Object.fromEntries([["parametres", {}]]),
    ];
    for (const options of wrong) {
      const refused = runPipeline(sum, { pipelineRoot, ...options });
      await expect(refused).rejects.toThrow(TypeError);
      await expect(refused).rejects.toThrow(`option "${Object.keys(options)[0]}"`);
    }
    expect(readdirSync(pipelineRoot)).toEqual([]);
  });

  test("a root where nothing can be written", async () => {
    const file = join(makeFolder(), "file");
    writeFileSync(file, "");
    for (const pipelineRoot of [file, join(file, "root")])
      await expect(runShell({ task: { run: "true" } }, { pipelineRoot })).rejects.toThrow(
        `choose another pipelineRoot: ENOTDIR: ${file} is no folder`,
      );
  });
});

describe("artifacts", () => {
  const importing = (uri: string): Pipeline => {
    const pipeline = shellPipeline({
      read: { run: `cat "$4" > "$1"`, gives: true, reads: "fetch" },
      fetch: { run: "true", makes: true },
    });
    const executor = pipeline.deployment.executors["exec-fetch"] ?? expect.unreachable("it is there");
    const typeSchema = {
      kind: { $case: "schemaTitle", value: "system.Artifact" },
      schemaVersion: "0.0.1",
    } as const;
    const artifactUri = { value: { $case: "constant", value: uri } } as const;
    const importer = {
      artifactUri,
      typeSchema,
      properties: {},
      customProperties: {},
      metadata: undefined,
      reimport: false,
    };
    executor.spec = { $case: "importer", value: { ...importer, downloadToWorkspace: false } };
    return pipeline;
  };

  test("on this machine are read in place, as paths or as file://", async () => {
    const data = join(makeFolder(), "a file");
    writeFileSync(data, "here");
    for (const uri of [data, `file://${data.replace(" ", "%20")}`]) {
      const result = await runPipeline(importing(uri), { pipelineRoot: makeFolder(), validate: false });
      expect(result.tasks.find(({ id }) => id === "read")?.outputs?.parameters).toEqual({ out: "here" });
    }
    const missing = await runPipeline(importing(`${data}s`), { pipelineRoot: makeFolder(), validate: false });
    expect(missing.error?.message).toBe(`there is nothing to import at ${data}s`);
  });

  test("elsewhere are fetched once by a store, and without one it is said which is missing", async () => {
    const fetched: string[] = [];
    const gs = {
      fetch: async (uri: string, path: string) => {
        fetched.push(uri);
        writeFileSync(path, "from far");
      },
    };
    const options = { pipelineRoot: makeFolder(), validate: false };
    const result = await runPipeline(importing("gs://bucket/data"), { ...options, stores: { gs } });
    expect(result.tasks.find(({ id }) => id === "read")?.outputs?.parameters).toEqual({ out: "from far" });
    expect(fetched).toEqual(["gs://bucket/data"]);
    const without = await runPipeline(importing("gs://bucket/data"), options);
    expect(without.error?.message).toContain("give a store for it, as in stores: { gs: … }");
    const failing = async (fetch: () => Promise<void>) =>
      (await runPipeline(importing("gs://bucket/data"), { ...options, stores: { gs: { fetch } } })).error
        ?.message;
    expect(await failing(() => Promise.reject(new Error("403")))).toBe(
      "the artifact gs://bucket/data cannot be fetched: 403",
    );
    expect(await failing(async () => {})).toContain("cannot be fetched: the store has put nothing");
  });

  test("with hostile names stay in the folder of their task", async () => {
    const root = makeFolder();
    mkdirSync(join(root, "deep"));
    const pipeline = shellPipeline({ task: { run: "true" } });
    const component = pipeline.spec.components["comp-task"] ?? expect.unreachable("it is there");
    const artifact = { artifactType: undefined, properties: {}, customProperties: {}, metadata: undefined };
    const declared = { ...artifact, isArtifactList: false, description: "" };
    const names = ["../../../escaped", "..", "a/b", "ünï", "x".repeat(500)];
    component.outputDefinitions = {
      parameters: {},
      artifacts: Object.fromEntries(names.map((name) => [name, declared])),
    };
    const result = await runPipeline(pipeline, { pipelineRoot: join(root, "deep"), validate: false });
    const lists = Object.values(result.tasks[0]?.outputs?.artifacts ?? {});
    expect(lists.length).toBe(names.length);
    for (const { artifacts } of lists)
      expect(join(artifacts[0]?.uri ?? "", "..")).toBe(result.tasks[0]?.folder);
  });
});
