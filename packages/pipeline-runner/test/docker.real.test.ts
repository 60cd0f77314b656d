import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Pipeline, printPipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import {
  type DockerOptions,
  dockerExecutor,
  type RunPipelineOptions,
  runPipeline,
} from "../src/node/index.js";
import { importing } from "./importing-pipeline.js";
import { makeFolder } from "./make-folder.js";
import { type ShellTask, shellPipeline } from "./shell-pipeline.js";

// Containers of a real engine, with an image of nothing but busybox: WYE_DOCKER is the command, `test/engine/start` makes one.

const { WYE_DOCKER: program, WYE_WITHOUT_DOCKER: reason = "WYE_DOCKER names no command" } = process.env;
const isLeftOut = program === undefined;
if (isLeftOut) console.warn(`containers are left out: ${reason}`);

const docker = (...args: readonly string[]) => execFileSync(program ?? "", args, { encoding: "utf8" }).trim();
const containers = () => docker("ps", "--all", "--quiet", "--filter", "label=wye.run");

const inBusybox = (tasks: Readonly<Record<string, ShellTask>>, container: object = {}): Pipeline =>
  shellPipeline(tasks, { image: "busybox", ...container });

const run = (
  pipeline: Pipeline,
  { args = [], ...options }: DockerOptions = {},
  more: RunPipelineOptions = {},
) => {
  const executor = dockerExecutor({
    ...(program === undefined ? {} : { program }),
    pull: "never",
    args: ["--network=none", ...args],
    ...options,
  });
  return runPipeline(pipeline, { pipelineRoot: makeFolder(), executor, ...more });
};
const errorOf = async (...given: Parameters<typeof run>) => (await run(...given)).error;

const patience = { timeout: 60_000, interval: 50 };
const startedIn = (root: string) => () =>
  readdirSync(root).some((name) => existsSync(join(root, name, "task", "started")));

describe.skipIf(isLeftOut)(isLeftOut ? `containers, left out: ${reason}` : "containers", () => {
  test("have what they are given, can only read their inputs, and are gone afterwards", async () => {
    const result = await run(
      inBusybox({
        first: { run: `printf one > "$1"; mkdir "$2"; echo data > "$2/file"`, gives: true, makes: true },
        second: {
          run: `cat "$4/file"; touch "$4/other" 2>/dev/null || echo "only read"; printf "$A/$3/$(pwd)" > "$1"`,
          gives: true,
          takes: "first",
          reads: "first",
          env: { A: "a=b c" },
        },
      }),
    );
    expect(result.error).toBeUndefined();
    const [, second] = result.tasks;
    expect(readFileSync(second?.log ?? "", "utf8")).toBe("data\nonly read\n");
    expect(second?.outputs?.parameters).toEqual({ out: `a=b c/one/${second?.folder}` });
    expect(containers()).toBe("");
  });

  test("can change what was imported into the workspace", async () => {
    const file = join(makeFolder(), "rows.csv");
    writeFileSync(file, "1\n");
    const pipeline = importing(file, 'echo 2 >> "$0"', { image: "busybox" });
    const { error, folder } = await run(pipeline, {}, { validate: false });
    expect(error).toBeUndefined();
    const copied = join(folder, "workspace/.artifacts/importer/bring/rows.csv");
    expect([copied, file].map((path) => readFileSync(path, "utf8"))).toEqual(["1\n2\n", "1\n"]);
  });

  test("run as a user of this machine that images do not know, with a home to write to", async () => {
    const root = makeFolder();
    const folders = { pipelineRoot: root };
    const script = `id -u; touch "$HOME/x" && echo "$HOME"; test -w . || echo "not mine"`;
    const result = await run(inBusybox({ task: { run: script } }), { user: "54321:54321" }, folders);
    expect(readFileSync(result.tasks[0]?.log ?? "", "utf8")).toBe("54321\n/tmp\nnot mine\n");
  });

  test("run although a task before has written nothing for its artifact", async () => {
    const tasks = { first: { run: "true", makes: true }, second: { run: `test ! -e "$4"`, reads: "first" } };
    expect(await errorOf(inBusybox(tasks))).toBeUndefined();
  });

  test("read what is at odd paths", async () => {
    const data = join(makeFolder(), `a,b "q" =1:2`);
    mkdirSync(data);
    writeFileSync(join(data, "file"), "odd");
    const pipeline = inBusybox({
      give: { run: "", makes: true },
      read: { run: `cat "$4/file" > "$1"`, reads: "give", gives: true },
    });
    const typeSchema = {
      kind: { $case: "schemaTitle", value: "system.Artifact" },
      schemaVersion: "0.0.1",
    } as const;
    const give = pipeline.deployment.executors["exec-give"] ?? expect.unreachable("it is there");
    const importer = { typeSchema, properties: {}, customProperties: {}, metadata: undefined };
    const artifactUri = { value: { $case: "constant", value: data } } as const;
    give.spec = {
      $case: "importer",
      value: { ...importer, artifactUri, reimport: false, downloadToWorkspace: false },
    };
    const result = await run(pipeline, {}, { validate: false });
    expect([result.error, result.tasks.find(({ id }) => id === "read")?.outputs?.parameters]).toEqual([
      undefined,
      { out: "odd" },
    ]);
  });

  test.each([
    ["a code of a program", { run: "echo no; exit 3" }, {}, {}, "exit code 3: no"],
    ["one that the command has too", { run: "echo mine; exit 125" }, {}, {}, "exit code 125: mine"],
    [
      "what a script has not found",
      { run: "no-such-program" },
      {},
      {},
      "exit code 127: sh: .*no-such-program: not found",
    ],
    [
      "a program that an image lacks",
      { run: "" },
      { command: ["no-such-program"] },
      {},
      "exit code 127: .*no-such-program.*No such file",
    ],
    [
      "an image that is not there",
      { run: "" },
      { image: "no-such-image" },
      {},
      "docker could not start the container: .*[Nn]o such image",
    ],
    [
      "a name that is none",
      { run: "" },
      { image: "NoImage" },
      {},
      "docker could not start the container: .*invalid reference format",
    ],
    [
      "an argument that it does not know",
      { run: "" },
      {},
      { args: ["--nonsense"] },
      "docker could not start the container: unknown flag: --nonsense",
    ],
    [
      "time that is over",
      { run: "trap '' TERM; while true; do sleep 1; done" },
      {},
      { timeoutMs: 1000, graceMs: 500 },
      "its time of 1 s was over",
    ],
  ] satisfies [string, ShellTask, object, DockerOptions, string][])(
    "fail because of %s",
    async (_, task, container, options, message) => {
      const error = await errorOf(inBusybox({ task }, container), options, { validate: false });
      expect(error?.message).toMatch(new RegExp(`^${message}`));
      expect(containers()).toBe("");
    },
  );

  test("that are cancelled may say their last words", async () => {
    const [root, user] = [makeFolder(), new AbortController()];
    const script = "trap 'echo bye; exit 0' TERM; touch started; while true; do sleep 0.1; done";
    const running = run(
      inBusybox({ task: { run: script } }),
      {},
      { pipelineRoot: root, signal: user.signal },
    );
    await expect.poll(startedIn(root), patience).toBe(true);
    user.abort();
    const result = await running;
    expect(result.state).toBe("CANCELLED");
    expect(readFileSync(result.tasks[0]?.log ?? "", "utf8")).toBe("bye\n");
    expect(containers()).toBe("");
  });

  test("of a process that was killed are removed when its run goes on", async () => {
    const [root, flag] = [makeFolder(), "go"];
    const pipeline = inBusybox({
      task: { run: `touch started; test -e ../workspace/${flag} || while true; do sleep 1; done` },
    });
    const file = join(makeFolder(), "pipeline.yaml");
    writeFileSync(file, printPipeline(pipeline));
    const host = fileURLToPath(new URL("./programs/host.mjs", import.meta.url));
    const options = { pipelineRoot: root, docker: { program, pull: "never", args: ["--network=none"] } };
    const first = spawn(process.execPath, [host, file, JSON.stringify(options)], { stdio: "ignore" });
    await expect.poll(startedIn(root), patience).toBe(true);
    first.kill("SIGKILL");
    await once(first, "close");
    const left = containers();
    expect(left).toMatch(/^[0-9a-f]+$/);
    const folder = join(root, readdirSync(root)[0] ?? "");
    writeFileSync(join(folder, "workspace", flag), "");
    const result = await run(pipeline, {}, { pipelineRoot: root, resumeFrom: folder });
    expect([result.state, result.error]).toEqual(["SUCCEEDED", undefined]);
    expect(containers()).toBe("");
  });
});
