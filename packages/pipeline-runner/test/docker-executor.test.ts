import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type DockerOptions,
  dockerExecutor,
  type RunPipelineOptions,
  runPipeline,
} from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { type ShellTask, shellPipeline } from "./shell-pipeline.js";

// A stand-in for the command: it notes its arguments, and runs the entrypoint on this machine.
const standIn = (calls: string) => `#!/bin/bash
printf '%s\\x1f' "$@" >> ${calls}; echo >> ${calls}
case "$1" in
  version) echo 99; exit 0;;
  stop) kill "$(cat ${calls}.pid)"; exit 0;;
  rm) exit 0;;
esac
shift
while [ "\${1#--}" != "$1" ]; do
  case "$1" in --init) shift; continue;; --entrypoint) entrypoint=$2;; --env) export "$2";; --workdir) cd "$2";; esac
  shift 2
done
[ "$1" = broken ] && exit 125
shift
echo $$ > ${calls}.pid
exec "$entrypoint" "$@"
`;

function install() {
  const folder = makeFolder();
  const [program, calls] = [join(folder, "docker"), join(folder, "calls")];
  writeFileSync(program, standIn(calls));
  chmodSync(program, 0o755);
  const callsOf = (command: string) =>
    readFileSync(calls, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split("\x1f").slice(0, -1))
      .filter(([first]) => first === command);
  return { program, callsOf, pid: `${calls}.pid` };
}

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
    expect(callsOf("stop")).toEqual([["stop", "--time", "2", name]]);
    expect(callsOf("rm").at(-1)).toEqual(["rm", "--force", "--volumes", name]);
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

  test("fails with the code of the program, and says what its own codes mean", async () => {
    const { program } = install();
    const failed = await runWith({ task: { run: "echo no; exit 3" } }, { program });
    expect(failed.error).toMatchObject({ message: "exit code 3: no", code: 3 });
    const pipeline = shellPipeline({ task: { run: "true" } });
    const container = pipeline.deployment.executors["exec-task"]?.spec;
    if (container?.$case !== "container") return expect.unreachable("it is a container");
    container.value.image = "broken";
    const broken = await runPipeline(pipeline, {
      pipelineRoot: makeFolder(),
      executor: dockerExecutor({ program }),
    });
    expect(broken.error?.message).toBe("docker could not start the container (broken): exit code 125");
  });

  test("takes no options that it does not know, nor arguments that are a text", () => {
    expect(() => dockerExecutor(Object.fromEntries([["pulls", "always"]]))).toThrow(TypeError);
    expect(() => dockerExecutor(Object.fromEntries([["args", "--rm"]]))).toThrow(`"args" of dockerExecutor`);
  });
});
