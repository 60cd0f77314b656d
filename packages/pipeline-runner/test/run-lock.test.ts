import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { functionExecutor, runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

const pipeline = shellPipeline({ a: { run: "true" } });

/** A run that is over, as one that a process may go on with. */
async function finishedRun() {
  const { folder } = await runPipeline(pipeline, { pipelineRoot: makeFolder() });
  const lock = join(folder, "run.lock");
  const locks = () => readdirSync(folder).filter((name) => name.startsWith("run.lock"));
  return { folder, lock, locks, resume: () => runPipeline(pipeline, { resumeFrom: folder }) };
}

/** Lets a file look so old. */
function age(path: string, ms: number): void {
  utimesSync(path, new Date(), new Date(Date.now() - ms));
}

test("what a process has left that was killed while it took the lock is removed, and not what another is about to take", async () => {
  const { folder, locks, resume } = await finishedRun();
  const [old, young, fresh] = Array.from({ length: 3 }, () => `run.lock.${randomUUID()}`);
  for (const draft of [old, young, fresh]) writeFileSync(join(folder, `${draft}`), "");
  age(join(folder, `${old}`), 61_000);
  age(join(folder, `${young}`), 30_000);
  expect((await resume()).state).toBe("SUCCEEDED");
  expect(locks().toSorted()).toEqual([young, fresh].toSorted());
});

// Only Linux tells when a process was started.
test.runIf(process.platform === "linux")(
  "a process is called by its number and when it was started: a later one of the same number has no lock of it",
  async () => {
    let said = "";
    const executor = functionExecutor({
      a: (_, { folder }) => {
        said = readFileSync(join(dirname(folder), "run.lock"), "utf8");
        return {};
      },
    });
    await runPipeline(pipeline, { pipelineRoot: makeFolder(), executor });
    const [, started = ""] = /^\d+ (\d+) @ /.exec(said) ?? [];
    const own = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    expect([said.split(" ")[0], started]).toEqual([`${process.pid}`, own[19]]);
    const { lock, locks, resume } = await finishedRun();
    writeFileSync(lock, said);
    await expect(resume()).rejects.toThrow("is working on the run in");
    writeFileSync(lock, said.replace(started, `${Number(started) + 1}`));
    expect((await resume()).state).toBe("SUCCEEDED");
    expect(locks()).toEqual([]);
  },
);

describe("a process of another container, or of another machine", () => {
  // The numbers are nobody's here, or another's.
  test.each(["1 5", "999999999", `${process.pid} 5`])(
    "called %s has its run while it is heard of",
    async (name) => {
      const { lock, locks, resume } = await finishedRun();
      writeFileSync(lock, `${name} @ elsewhere 0b7f pid:[4026532000]`);
      const [pid] = name.split(" ");
      await expect(resume()).rejects.toThrow(
        `a process in another container or on another machine (${pid} of elsewhere 0b7f pid:[4026532000], heard of `,
      );
      age(lock, 3_600_000);
      expect((await resume()).state).toBe("SUCCEEDED");
      expect(locks()).toEqual([]);
    },
  );

  test("hears of one here for as long as that works", async () => {
    const [pipelineRoot, marks] = [makeFolder(), makeFolder()];
    const [started, gate] = [join(marks, "started"), join(marks, "gate")];
    const run = `touch ${started}; while ! test -e ${gate}; do sleep 0.05; done`;
    const running = runPipeline(shellPipeline({ a: { run } }), { pipelineRoot });
    await expect.poll(() => existsSync(started), { timeout: 60_000 }).toBe(true);
    const [folder = ""] = readdirSync(pipelineRoot);
    const lock = join(pipelineRoot, folder, "run.lock");
    age(lock, 3_600_000);
    const silence = () => Date.now() - statSync(lock).mtimeMs;
    await expect.poll(silence, { timeout: 60_000 }).toBeLessThan(600_000);
    writeFileSync(gate, "");
    expect((await running).state).toBe("SUCCEEDED");
    expect(existsSync(lock)).toBe(false);
  });
});

test.each([
  ["on another machine", "999999999 @ elsewhere 0b7f pid:[4026532000]"],
  ["of another number", "1"],
  ["that has just begun", ""],
])(
  "the lock of a process %s that has taken a run over stays when the one before it ends",
  async (_, other) => {
    const [pipelineRoot, marks] = [makeFolder(), makeFolder()];
    const [started, gate] = [join(marks, "started"), join(marks, "gate")];
    const run = `touch ${started}; while ! test -e ${gate}; do sleep 0.05; done`;
    const running = runPipeline(shellPipeline({ a: { run } }), { pipelineRoot });
    await expect.poll(() => existsSync(started), { timeout: 60_000 }).toBe(true);
    const lock = join(pipelineRoot, readdirSync(pipelineRoot)[0] ?? "", "run.lock");
    writeFileSync(lock, other);
    writeFileSync(gate, "");
    await running;
    expect(readFileSync(lock, "utf8")).toBe(other);
  },
);

test("who comes back when another process goes on with the run gives it up, and takes nothing from that one", async () => {
  const [pipelineRoot, marks] = [makeFolder(), makeFolder()];
  const [started, gate, after] = ["started", "gate", "after"].map((name) => join(marks, name));
  const waiting = shellPipeline({
    a: { run: `echo >> ${started}; while ! test -e ${gate}; do sleep 0.05; done` },
    b: { run: `echo >> ${after}`, after: ["a"] },
  });
  const lines = (path = "") => (existsSync(path) ? readFileSync(path, "utf8").length : 0);
  const first = runPipeline(waiting, { pipelineRoot });
  await expect.poll(() => lines(started), { timeout: 60_000 }).toBe(1);
  const folder = join(pipelineRoot, readdirSync(pipelineRoot)[0] ?? "");
  // Nobody has heard of the first one for long.
  writeFileSync(join(folder, "run.lock"), "999999999");
  const second = runPipeline(waiting, { resumeFrom: folder });
  await expect.poll(() => lines(started), { timeout: 60_000 }).toBe(2);
  writeFileSync(gate ?? "", "");
  await expect(first).rejects.toThrow("another process goes on with the run");
  expect((await second).state).toBe("SUCCEEDED");
  expect([lines(after), existsSync(join(folder, "run.lock"))]).toEqual([1, false]);
  expect((await runPipeline(waiting, { resumeFrom: folder })).state).toBe("SUCCEEDED");
});
