import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type DockerOptions,
  dockerExecutor,
  type RunPipelineOptions,
  runPipeline,
} from "../src/node/index.js";
import { install } from "./docker-stand-in.js";
import { makeFolder } from "./make-folder.js";
import { type ShellTask, shellPipeline } from "./shell-pipeline.js";

const runWith = (
  tasks: Readonly<Record<string, ShellTask>>,
  options: DockerOptions,
  more: RunPipelineOptions = {},
) =>
  runPipeline(shellPipeline(tasks), {
    pipelineRoot: makeFolder(),
    executor: dockerExecutor(options),
    ...more,
  });

const notStarted = (why: string) =>
  `docker could not start the container: docker: Error response from daemon: ${why}`;

const leftBehind = expect.stringMatching(
  /^task: the container wye-\w+ could not be removed, and may still run: exit code 1: Error response from daemon: permission denied$/,
);

afterEach(() => void vi.useRealTimers());

describe("docker", () => {
  test("runs containers with the folders that they need, as the user of this process, and removes them", async () => {
    const { program, callsOf } = install();
    const result = await runWith(
      {
        first: { run: `printf data > "$2"; printf 1 > "$1"`, gives: true, makes: true },
        second: {
          run: `printf "$A$3" > "$1"; cat "$4" >> "$1"`,
          gives: true,
          takes: "first",
          reads: "first",
          env: { A: "a" },
        },
      },
      { program, pull: "never", args: ["--network=none", "--cpus=1"].flatMap((one) => one.split("=")) },
    );
    expect(result.error).toBeUndefined();
    expect(result.tasks[1]?.outputs?.parameters).toEqual({ out: "a1data" });
    const [first, second] = callsOf("run");
    const name = first?.[first.indexOf("--name") + 1] ?? "";
    const mount = (path: string, more = "") => ["--mount", `type=bind,source=${path},target=${path}${more}`];
    const folder = result.tasks[0]?.folder ?? "";
    expect(first?.slice(0, first.indexOf("alpine") + 3)).toEqual([
      ...["run", "--name", name, "--label", "wye.run=first", "--pull", "never", "--init"],
      ...["--user", `${process.getuid?.()}:${process.getgid?.()}`, "--workdir", folder],
      ...mount(folder),
      ...mount(join(result.folder, "workspace")),
      ...["--entrypoint", "sh", "--network", "none", "--cpus", "1", "alpine", "-c"],
      `printf data > "$2"; printf 1 > "$1"`,
    ]);
    const read = mount(join(folder, "data"), ",readonly");
    expect(second?.join(" ")).toContain(read.join(" "));
    expect(second?.join(" ")).toContain("--env A=a");
    expect(callsOf("version").length).toBe(1);
    // Before, for what an earlier process left behind, and after.
    expect(callsOf("rm").filter((call) => call.includes(name))).toEqual(
      Array.from({ length: 2 }, () => ["rm", "--force", "--volumes", name]),
    );
  });

  test("stops a container by its name when the run is cancelled, and removes it", async () => {
    const { program, callsOf, pid } = install();
    const controller = new AbortController();
    const run = runWith(
      { task: { run: "sleep 1000" } },
      { program, graceMs: 2000 },
      { signal: controller.signal },
    );
    await expect.poll(() => existsSync(pid), { timeout: 60_000 }).toBe(true);
    controller.abort();
    const result = await run;
    expect(result.state).toBe("CANCELLED");
    const [ran] = callsOf("run");
    const name = ran?.[ran.indexOf("--name") + 1];
    expect(callsOf("stop")[0]).toEqual(["stop", "-t", "2", name]);
    expect(callsOf("rm").at(-1)).toEqual(["rm", "--force", "--volumes", name]);
  });

  test("tells of a container that cannot be removed", async () => {
    const { program, note } = install();
    writeFileSync(note("denies.rm"), "");
    const { state, warnings } = await runWith({ task: { run: "true" } }, { program });
    expect([state, warnings]).toEqual(["SUCCEEDED", [leftBehind]]);
  });

  test("tells of a container that can neither be stopped nor removed, when its grace is over", async () => {
    const { program, callsOf, note, pid } = install();
    for (const command of ["stop", "rm"]) writeFileSync(note(`denies.${command}`), "");
    const user = new AbortController();
    const running = runWith(
      { task: { run: "sleep 1000" } },
      { program, graceMs: 100 },
      { signal: user.signal },
    );
    await expect.poll(() => existsSync(pid), { timeout: 60_000 }).toBe(true);
    user.abort();
    const { state, warnings } = await running;
    expect([state, warnings]).toEqual(["CANCELLED", [leftBehind]]);
    expect(callsOf("stop").length).toBeLessThan(4);
  });

  test.each(["version", "container"])("lets a run be cancelled while %s does not answer", async (command) => {
    const { program, note } = install();
    writeFileSync(note(`hangs.${command}`), "");
    const user = new AbortController();
    const running = runWith(
      { task: { run: "exit 125" } },
      { program, timeoutMs: 600_000, graceMs: 600_000 },
      { signal: user.signal },
    );
    await expect.poll(() => existsSync(note(`hanging.${command}`)), { timeout: 60_000 }).toBe(true);
    user.abort();
    expect((await running).state).toBe("CANCELLED");
  });

  test("does without an engine that answers nothing any more, eight seconds after the grace", async () => {
    const { program, note } = install();
    const user = new AbortController();
    const poll = { timeout: 60_000 };
    const running = runWith(
      { task: { run: `trap "" TERM; touch ${note("ready")}; while :; do sleep 1; done` } },
      { program, graceMs: 60_000 },
      { signal: user.signal },
    );
    await expect.poll(() => existsSync(note("ready")), poll).toBe(true);
    for (const command of ["stop", "rm"]) writeFileSync(note(`hangs.${command}`), "");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    user.abort();
    await expect.poll(() => existsSync(note("hanging.stop")), poll).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000 + 3000);
    // What does not end when it is asked to is killed.
    await expect.poll(() => vi.getTimerCount(), poll).toBe(2);
    await vi.advanceTimersByTimeAsync(2000);
    await expect.poll(() => existsSync(note("hanging.rm")), poll).toBe(true);
    await vi.advanceTimersByTimeAsync(3000);
    const { state, warnings } = await running;
    expect([state, warnings]).toEqual([
      "CANCELLED",
      [expect.stringMatching(/could not be removed, and may still run: its time of 3 s was over$/)],
    ]);
  });

  test("says nothing of a container that is not there when its removal is cancelled", async () => {
    const { program, note } = install();
    writeFileSync(note("hangs.rm"), "");
    const user = new AbortController();
    const running = runWith({ task: { run: "true" } }, { program }, { signal: user.signal });
    await expect.poll(() => existsSync(note("hanging.rm")), { timeout: 60_000 }).toBe(true);
    user.abort();
    const { state, warnings, tasks } = await running;
    expect([state, warnings, tasks[0]?.log]).toEqual(["CANCELLED", [], expect.any(String)]);
  });

  test("waits for a container that is being made when the run is cancelled, and stops that", async () => {
    const { program, callsOf, note } = install();
    const controller = new AbortController();
    const docker = dockerExecutor({ program });
    const ends: unknown[] = [];
    const execute: typeof docker.execute = async (...given) => {
      const end = await docker.execute(...given);
      ends.push(end);
      return end;
    };
    const run = runPipeline(shellPipeline({ task: { run: "sleep 1000" } }, { image: "slow" }), {
      pipelineRoot: makeFolder(),
      executor: { ...docker, execute },
      signal: controller.signal,
    });
    await expect.poll(() => existsSync(note("making")), { timeout: 60_000 }).toBe(true);
    controller.abort();
    await expect.poll(() => callsOf("stop").length, { timeout: 60_000 }).toBeGreaterThan(0);
    writeFileSync(note("made"), "");
    expect((await run).state).toBe("CANCELLED");
    expect(existsSync(note("killed"))).toBe(false);
    expect(ends).toEqual([{ ok: false, message: "it was cancelled" }]);
  });

  test.each(["-v=/:/host", "--privileged", "", "a b"])(
    "takes no %j for an image that a task has named",
    async (image) => {
      const { program, callsOf } = install();
      const pipeline = shellPipeline({
        first: { run: `printf "%s" "${image}" > "$1"`, gives: true },
        second: { run: "true", takes: "first" },
      });
      const second = pipeline.deployment.executors["exec-second"]?.spec;
      if (second?.$case === "container") second.value.image = "{{$.inputs.parameters['in']}}";
      const { error } = await runPipeline(pipeline, {
        pipelineRoot: makeFolder(),
        executor: dockerExecutor({ program }),
      });
      expect(error).toMatchObject({
        task: "second",
        message: expect.stringContaining(`${JSON.stringify(image)} is no reference of an image`),
      });
      expect(callsOf("run")).toHaveLength(1);
    },
  );

  test("gives up a container whose image does not come", async () => {
    const { program, note } = install();
    const user = new AbortController();
    const run = runPipeline(shellPipeline({ task: { run: "true" } }, { image: "far" }), {
      pipelineRoot: makeFolder(),
      executor: dockerExecutor({ program }),
      signal: user.signal,
    });
    await expect.poll(() => existsSync(note("making")), { timeout: 60_000 }).toBe(true);
    user.abort();
    expect((await run).state).toBe("CANCELLED");
    expect(existsSync(note("killed"))).toBe(true);
  });

  test("that takes too long is stopped", async () => {
    const { program } = install();
    const result = await runWith({ task: { run: "sleep 1000" } }, { program, timeoutMs: 200, graceMs: 100 });
    expect(result.error?.message).toBe("its time of 0.2 s was over");
  });

  test("that is not there, or has no engine, is said plainly", async () => {
    const missing = await runWith({ task: { run: "true" } }, { program: "/no/such/docker" });
    expect(missing.error?.message).toMatch(
      /^there is no container engine: `\/no\/such\/docker version`: .*No such file/,
    );
    const folder = makeFolder();
    mkdirSync(join(folder, "bin"));
    const program = join(folder, "bin", "docker");
    writeFileSync(program, "#!/bin/sh\necho 'Cannot connect to the Docker daemon' >&2; exit 1\n");
    chmodSync(program, 0o755);
    const result = await runWith({ task: { run: "true" } }, { program });
    expect(result.error?.message).toBe(
      `there is no container engine: \`${program} version\`: exit code 1: Cannot connect to the Docker daemon`,
    );
  });

  test.each([
    ["a code of the program", "alpine", "echo no; exit 3", "exit code 3: no", 3],
    ["a code that the command has too", "alpine", "echo mine; exit 125", "exit code 125: mine", 125],
    [
      "a command that a script has not found",
      "alpine",
      "no-such-program",
      /^exit code 127: .*not found$/,
      127,
    ],
    ["a container that is not started", "missing", "true", notStarted("No such image: missing"), 125],
    ["too little memory", "small", "exit 137", "it had too little memory (small): exit code 137", 137],
    ["a program that was killed", "alpine", "echo last; exit 137", "it was killed: exit code 137: last", 137],
  ])("tells the truth about %s", async (_, image, run, message, code) => {
    const { program } = install();
    const executor = dockerExecutor({ program });
    const { error } = await runPipeline(shellPipeline({ task: { run } }, { image }), {
      pipelineRoot: makeFolder(),
      executor,
    });
    expect(error).toMatchObject({
      message: typeof message === "string" ? message : expect.stringMatching(message),
      code,
    });
  });

  test.each([
    ["a code that is none of the engine's", "exit 3", "exit code 3", 3],
    ["the end of the command by a signal", "sh -c 'kill -9 $PPID'", "it was killed by SIGKILL", undefined],
  ])("asks the engine nothing about %s", async (_, run, message, code) => {
    const { program, callsOf, note } = install();
    writeFileSync(note("denies.container"), "");
    const { error } = await runWith({ task: { run } }, { program });
    expect([error?.message, error?.code, callsOf("container")]).toEqual([message, code, []]);
  });

  test("takes a container for one that was not started when the engine does not know of its start", async () => {
    for (const state of ["", "0001-01-01T00:00:00Z false", "<no value> false"]) {
      const { program, note } = install();
      const run = `echo why; echo "${state}" > ${note("state")}; exit 126`;
      const { error } = await runWith({ task: { run } }, { program });
      expect([error?.message, error?.code]).toEqual(["docker could not start the container: why", 126]);
    }
  });

  test("runs a task although one before it has written nothing for its artifact", async () => {
    const { program, callsOf } = install();
    const result = await runWith(
      { first: { run: "true", makes: true }, second: { run: `test -e "$4" || echo none`, reads: "first" } },
      { program },
    );
    expect(result.error).toBeUndefined();
    expect(callsOf("run")[1]?.filter((one) => one === "--mount").length).toBe(2);
  });

  test.each([
    ["of this process", undefined, {}, process.getuid?.() === 0 ? [] : ["HOME=/tmp"]],
    ["with a number that images do not know", "1234:1234", {}, ["HOME=/tmp"]],
    ["root", "0:0", {}, []],
    ["of the image", "jovyan", {}, []],
    ["of a task that says its home", "1234", { HOME: "/data" }, ["HOME=/data"]],
  ])("gives a user %s a home", async (_, user, env, homes) => {
    const { program, callsOf } = install();
    await runWith({ task: { run: "true", env } }, { program, ...(user === undefined ? {} : { user }) });
    expect(callsOf("run")[0]?.filter((one) => one.startsWith("HOME="))).toEqual(homes);
  });

  test("takes no options that it does not know, nor arguments that are a text", () => {
    expect(() => dockerExecutor(Object.fromEntries([["pulls", "always"]]))).toThrow(TypeError);
    expect(() => dockerExecutor(Object.fromEntries([["args", "--rm"]]))).toThrow(`"args" of dockerExecutor`);
  });
});
