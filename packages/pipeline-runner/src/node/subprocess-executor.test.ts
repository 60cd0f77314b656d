import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import type { Work } from "./executor.js";
import { type SubprocessOptions, subprocessExecutor } from "./subprocess-executor.js";

/** How a command ends, in a folder in which these files are. */
async function run(
  command: readonly string[],
  options: SubprocessOptions = {},
  folder = makeFolder(),
  image = "alpine",
) {
  mkdirSync(join(folder, "folder"), { recursive: true });
  writeFileSync(join(folder, "tool"), '#!/bin/sh\nprintf %s "$PATH" > path\n', { mode: 0o755 });
  writeFileSync(join(folder, "text"), "no program", { mode: 0o644 });
  const warnings: string[] = [];
  const context = {
    signal: new AbortController().signal,
    log() {},
    warn: (message: string) => void warnings.push(message),
  };
  const work = { task: { container: {} }, image, command, args: [], environment: {}, folder };
  // Of the task only the resources of its container are asked for.
  const result = await subprocessExecutor(options).execute(work as unknown as Work, context);
  return { result, folder, warnings };
}
const refused = (message: string) => ({ ok: false, message, retry: false });

test("a command with a path is looked for in the folder of the task", async () => {
  const { result, folder } = await run(["./tool"], { environment: { PATH: "/bin" } });
  expect([result, readFileSync(join(folder, "path"), "utf8")]).toEqual([{ ok: true }, "/bin"]);
});

test.each([
  ["./text", 'the program "./text" cannot be run: it is not executable'],
  ["./folder", 'the program "./folder" cannot be run: it is a folder, and no program'],
  ["./none", 'there is no program "./none" on this machine; the image alpine would have it'],
  ["none-of-these", 'there is no program "none-of-these" on this machine; the image alpine would have it'],
])("the command %s is refused: %s", async (command, message) => {
  expect((await run([command])).result).toEqual(refused(message));
});

test("an image that is called like what every object has is none that is known", async () => {
  const { result } = await run(["true"], { unknownImages: "refuse" }, makeFolder(), "constructor");
  expect(result).toEqual(
    refused("nothing says what the image constructor is on this machine: add it to `images`"),
  );
});

test("without a PATH programs are those of the system", async () => {
  const { result, folder } = await run(["sh", "-c", 'printf %s "$PATH" > path'], { environment: {} });
  expect([result, readFileSync(join(folder, "path"), "utf8")]).toEqual([
    { ok: true },
    "/usr/local/bin:/usr/bin:/bin",
  ]);
});

test("a part of the PATH that is relative means nothing", async () => {
  const folder = makeFolder();
  const environment = { PATH: [relative(process.cwd(), folder), "/usr/bin", "/bin"].join(":") };
  const { result } = await run(["tool"], { environment }, folder);
  expect(result).toEqual(
    refused('there is no program "tool" on this machine; the image alpine would have it'),
  );
});

test("the programs of an image come before others, and its variables after those of the process", async () => {
  const folder = makeFolder();
  const images = { alpine: { path: [relative(process.cwd(), folder)], environment: { PATH: "/bin" } } };
  const { result, warnings } = await run(["tool"], { images, environment: { PATH: "/nowhere" } }, folder);
  expect([result, warnings, readFileSync(join(folder, "path"), "utf8")]).toEqual([
    { ok: true },
    [],
    `${folder}:/bin`,
  ]);
});
