import { randomUUID } from "node:crypto";
import { getEventListeners } from "node:events";
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { RuntimeArtifact } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { runPipeline } from "../src/node/index.js";
import { LogFile } from "../src/node/log-file.js";
import { ResultCache, stampsOf } from "../src/node/result-cache.js";
import { RunJournal } from "../src/node/run-journal.js";
import { runProgram } from "../src/node/run-program.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

test.each([
  ["that has ended", "true"],
  ["that has failed", "exit 3"],
  ["that cannot be started", undefined],
])("a program %s hears nothing more of its signal", async (_, script) => {
  const { signal } = new AbortController();
  const program = {
    file: "sh",
    args: ["-c", script ?? ""],
    environment: { PATH: process.env.PATH },
    folder: script === undefined ? "/nowhere/at/all" : makeFolder(),
    timeoutMs: undefined,
    graceMs: 100,
  };
  const { ok } = await runProgram(program, { signal, log() {}, warn() {} });
  expect(ok).toBe(script === "true");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a program has ended when it has, also when something that has left its group holds its output open", async () => {
  const leave = `const { spawn } = require("node:child_process");
    const left = spawn("sleep", ["1000"], { detached: true, stdio: ["ignore", "inherit", "inherit"] });
    left.unref();
    console.log(left.pid);`;
  const said: string[] = [];
  const { signal } = new AbortController();
  const program = {
    file: process.execPath,
    args: ["-e", leave],
    environment: { PATH: process.env.PATH },
    folder: makeFolder(),
    timeoutMs: undefined,
    graceMs: 100,
  };
  const context = {
    signal,
    log: (chunk: Uint8Array | string) => void said.push(chunk.toString()),
    warn() {},
  };
  const { ok } = await runProgram(program, context);
  expect(ok).toBe(true);
  process.kill(Number(said.join("")), "SIGKILL");
});

test("a run hears nothing more of the signal of its host when it is over", async () => {
  const { signal } = new AbortController();
  for (const run of ["true", "false"])
    await runPipeline(shellPipeline({ a: { run } }), { pipelineRoot: makeFolder(), signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("of what comes behind the beginning of a log the last mebibyte is kept, in whole pieces", () => {
  const mebibyte = 2 ** 20;
  for (const [sizes, kept] of [
    [[mebibyte], mebibyte],
    [[mebibyte, mebibyte], mebibyte],
    [[mebibyte, mebibyte - 1], 2 * mebibyte - 1],
    [[mebibyte, 1, mebibyte - 1], mebibyte],
  ] as const) {
    const path = join(makeFolder(), "log");
    const log = new LogFile(path, { onChunk() {}, onProblem: (message) => expect.unreachable(message) });
    log.write(new Uint8Array(64 * mebibyte));
    for (const size of sizes) log.write(new Uint8Array(size));
    log.close();
    const dropped = sizes.reduce((sum: number, size) => sum + size, 0) - kept;
    const note = dropped === 0 ? "" : `\n[${dropped} bytes are left out here]\n`;
    expect(statSync(path).size).toBe(64 * mebibyte + note.length + kept);
  }
});

test("a result is taken only while its artifacts are as they were when it was kept, also if there were none", async () => {
  const folder = makeFolder();
  const cache = new ResultCache(join(folder, "cache"), "p");
  for (const [name, before, after, isFound] of [
    ["there", "x", "x", true],
    ["gone", "x", undefined, false],
    ["changed", "x", "changed", false],
    ["come", undefined, "x", false],
    ["never", undefined, undefined, true],
  ] as const) {
    const path = join(folder, name);
    const uri = String(pathToFileURL(path));
    const artifacts = { a: { artifacts: [RuntimeArtifact.create({ name, uri })] } };
    if (before !== undefined) writeFileSync(path, before);
    const stamps = await stampsOf(artifacts);
    await cache.keep(name, { parameters: {}, artifacts }, stamps);
    if (after === undefined) rmSync(path, { force: true });
    else if (after !== before) writeFileSync(path, after);
    expect([name, (await cache.find(name)) !== undefined]).toEqual([name, isFound]);
  }
});

test("drafts of results that nobody writes any more are removed, and no others", async () => {
  const folder = makeFolder();
  const draft = (name: string) => join(folder, `${name}.json.${randomUUID()}`);
  const [old, young, latest, other] = [
    draft("old"),
    draft("young"),
    draft("now"),
    join(folder, "notes.json.old"),
  ];
  for (const file of [old, young, latest, other]) writeFileSync(file, "{");
  const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000);
  for (const file of [old, other]) utimesSync(file, new Date(), minutesAgo(61));
  utimesSync(young, new Date(), minutesAgo(50));
  await new ResultCache(folder, "p").keep("new.json", { parameters: {}, artifacts: {} }, {});
  const names = [young, latest, other, join(folder, "new.json")].map((path) => basename(path));
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
});

test.each(["", "é", "語🚗"])(
  "half a line at the end of a journal is gone before anything is added: %j",
  (letters) => {
    const folder = makeFolder();
    // A journal does not look into what it keeps.
    const command = (at: number) => ({ kind: "cancel", reason: `${letters}${at}`, at }) as never;
    const head = { commands: [command(1)] } as never;
    RunJournal.start(folder, head).close();
    appendFileSync(join(folder, "run.jsonl"), `{"kind":"can${letters}`);
    const { journal, snapshot } = RunJournal.resume(folder);
    expect(snapshot.commands).toEqual([command(1)]);
    journal.append(command(2));
    journal.close();
    expect(readFileSync(join(folder, "run.jsonl"), "utf8").split("\n")).toHaveLength(4);
    const again = RunJournal.resume(folder);
    again.journal.close();
    expect(again.snapshot.commands).toEqual([command(1), command(2)]);
  },
);

test("a result whose artifact cannot be looked at is none: it may have changed", async () => {
  const folder = makeFolder();
  const cache = new ResultCache(join(folder, "cache"), "p");
  const path = join(folder, "round");
  symlinkSync(path, path);
  const artifacts = { a: { artifacts: [RuntimeArtifact.create({ uri: String(pathToFileURL(path)) })] } };
  await cache.keep("entry", { parameters: {}, artifacts }, await stampsOf(artifacts));
  expect(await cache.find("entry")).toBeUndefined();
});
