import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ExecutorInput } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { dockerExecutor } from "./docker-executor.js";
import type { Work } from "./executor.js";

/** An engine whose command is these lines of shell, and what it was told. */
function engine(script: string) {
  const folder = makeFolder();
  const [program, told] = [join(folder, "docker"), join(folder, "told")];
  const write = (lines: string) =>
    writeFileSync(program, `#!/bin/sh\necho "$1" "$2" "$3" "$4" >> ${told}\n${lines}\n`, { mode: 0o755 });
  write(script);
  const executor = dockerExecutor({ program });
  /** Runs a container for a task in a folder of this name. */
  const execute = (name: string, image = "alpine") => {
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const work = { folder: own, shared: own, image, command: ["true"], args: [], environment: {} };
    const context = { signal: new AbortController().signal, log() {}, warn() {} };
    // Of the task only the id is asked for.
    const task = { id: name } as Work["task"];
    return executor.execute({ ...work, task, executorInput: ExecutorInput.create({}) }, context);
  };
  const lines = () => readFileSync(told, "utf8").trimEnd().split("\n");
  return { execute, lines, write };
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

test("what is no reference of an image is never run", async () => {
  const { execute, lines } = engine("exit 0");
  const message = '"--privileged" is no reference of an image';
  expect(await execute("a", "--privileged")).toEqual({ ok: false, message, retry: false });
  expect(lines().filter((line) => line.startsWith("run "))).toEqual([]);
});
