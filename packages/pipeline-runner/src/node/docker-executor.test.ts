import { getEventListeners } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ExecutorInput } from "@wye/pipeline-spec";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import type { DockerOptions } from "./docker-command.js";
import { dockerExecutor } from "./docker-executor.js";
import type { Work } from "./executor.js";

/** An engine whose command, which the executor may be told of, is these lines of shell, and what it was told. */
function engine(script: string, options: DockerOptions = {}, isNamed = true) {
  const folder = makeFolder();
  const [program, told] = [join(folder, "docker"), join(folder, "told")];
  const write = (lines: string) =>
    writeFileSync(program, `#!/bin/sh\necho "$1" "$2" "$3" "$4" >> ${told}\n${lines}\n`, { mode: 0o755 });
  write(script);
  const warnings: string[] = [];
  const executor = dockerExecutor({ ...(isNamed ? { program } : {}), ...options });
  /** Runs a container for a task in a folder of this name. */
  const execute = (name: string, image = "alpine", signal = new AbortController().signal, id = name) => {
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const work = { folder: own, shared: folder, image, command: ["true"], args: [], environment: {} };
    const context = { signal, log() {}, warn: (message: string) => void warnings.push(message) };
    // Of the task only the id is asked for.
    const task = { id } as Work["task"];
    return executor.execute({ ...work, task, executorInput: ExecutorInput.create({}) }, context);
  };
  const lines = () => readFileSync(told, "utf8").trimEnd().split("\n");
  return { execute, lines, warnings, write, folder };
}

test("an engine that is not there is asked for again, and one that is there is not", async () => {
  const { execute, lines, write } = engine("exit 3");
  const missing = {
    ok: false,
    message: expect.stringMatching("^there is no container engine: "),
    retry: false,
  };
  expect([await execute("a"), await execute("a")]).toEqual([missing, missing]);
  write("exit 0");
  const well = { ok: true, isConfined: true };
  expect([await execute("a"), await execute("a")]).toEqual([well, well]);
  expect(lines().filter((line) => line.startsWith("version "))).toHaveLength(3);
});

test("without another program it is the docker of this machine, with all variables of this process", async () => {
  vi.stubEnv("WYE_ENGINE", "remote");
  const { execute, lines, folder } = engine(`test "$WYE_ENGINE" = remote`, {}, false);
  vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await execute("a")).toEqual({ ok: true, isConfined: true });
  expect(lines().map((line) => line.split(" ")[0])).toEqual(["version", "rm", "run", "rm"]);
});

test("the containers of a task have one name, and those of others have others", async () => {
  const { execute, lines } = engine("exit 0");
  for (const name of ["a", "a", "b"]) await execute(name);
  const names = lines().flatMap((line) => line.match(/wye-\w+$/)?.[0] ?? []);
  expect(names.filter((name) => !/^wye-[\da-f]{24}$/.test(name))).toEqual([]);
  const [one, other] = [names[0], names.at(-1)];
  expect(one).not.toBe(other);
  expect(lines().slice(1)).toEqual(
    [one, one, other].flatMap((name) => {
      const remove = `rm --force --volumes ${name}`;
      return [remove, `run --name ${name} --label`, remove];
    }),
  );
});

test("the command runs in the folder of its task", async () => {
  const { execute, folder } = engine("touch here");
  await execute("a");
  expect([existsSync(join(folder, "a", "here")), existsSync(join(folder, "here"))]).toEqual([true, false]);
});

test("tasks of the same name in two runs have containers of their own, and results that either may take", async () => {
  const { execute, lines } = engine("exit 0");
  const { signal } = new AbortController();
  for (const folder of ["one", "two"]) await execute(folder, "alpine", signal, "a");
  expect(new Set(lines().flatMap((line) => line.match(/wye-\w+$/)?.[0] ?? [])).size).toBe(2);
  const keys = [{}, { pull: "never", graceMs: 1 } as const].map((options) =>
    dockerExecutor(options).cacheKey?.({} as Work["task"]),
  );
  expect(keys).toEqual([["docker"], ["docker"]]);
});

test("what is no reference of an image is never run", async () => {
  const { execute, lines } = engine("exit 0");
  const message = '"--privileged" is no reference of an image';
  expect(await execute("a", "--privileged")).toEqual({ ok: false, message, retry: false });
  expect(lines().filter((line) => line.startsWith("run "))).toEqual([]);
});

const never = "0001-01-01T00:00:00Z false";
const once = "2026-01-31T12:00:00Z";
test.each<[code: number, state: string, message: string, retry: boolean | undefined]>([
  [125, never, "docker could not start the container: exit code 125", true],
  [126, never, "docker could not start the container: exit code 126", false],
  [127, never, "docker could not start the container: exit code 127", false],
  [127, "", "docker could not start the container: exit code 127", false],
  [125, `${once} false`, "exit code 125", undefined],
  [127, `${once} true`, "exit code 127", undefined],
  [137, `${once} true`, "it had too little memory (alpine): exit code 137", undefined],
  [137, `${once} false`, "it was killed: exit code 137", undefined],
  [3, never, "exit code 3", undefined],
])("a container that ends with %i and is %j has failed so: %s", async (code, state, message, retry) => {
  const { execute } = engine(`case "$1" in run) exit ${code};; container) echo "${state}";; esac`);
  const { signal } = new AbortController();
  const result = await execute("a", "alpine", signal);
  expect(result).toEqual({ ok: false, message, code, ...(retry === undefined ? {} : { retry }) });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test.each([
  [500, 1],
  [2000, 2],
  [2001, 3],
])("a container with a grace of %i ms is given %i s to stop", async (graceMs, seconds) => {
  const marks = makeFolder();
  const [begun, stopped] = [join(marks, "begun"), join(marks, "stopped")];
  const { execute, lines } = engine(
    `case "$1" in run) touch ${begun}; until test -e ${stopped}; do sleep 0.05; done;; stop) touch ${stopped};; esac`,
    { graceMs },
  );
  const user = new AbortController();
  const ended = execute("a", "alpine", user.signal);
  await expect.poll(() => existsSync(begun)).toBe(true);
  user.abort();
  expect(await ended).toEqual({ ok: false, message: "it was cancelled" });
  expect(lines().find((line) => line.startsWith("stop"))).toMatch(
    new RegExp(`^stop -t ${seconds} wye-[0-9a-f]+$`),
  );
});

test.each([
  ["Error response from daemon: No such container: wye-1", 0],
  ["Error response from daemon: removal of container wye-1 is already in progress", 1],
])("a container that cannot be removed is told of where there is one: %s", async (said, count) => {
  const { execute, warnings } = engine(`case "$1" in rm) echo '${said}' >&2; exit 1;; esac`);
  expect(await execute("a")).toEqual({ ok: true, isConfined: true });
  const told = /^a: the container wye-\w+ could not be removed, and may still run: exit code 1: /;
  expect(new Set(warnings).size).toBe(count);
  expect(warnings.filter((warning) => !told.test(warning))).toEqual([]);
});
