import files, { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { type ShellTask, shellPipeline } from "./shell-pipeline.js";

// A file system whose files cannot have two names needs rights to mount it: here the system refuses links as Linux does on FAT.
const { linkSync } = files;

/** Has the system refuse links until the test is over. */
function refuseLinks(code: string): void {
  const answer = (link: typeof linkSync): void => {
    files.linkSync = link;
    syncBuiltinESMExports();
  };
  answer(() => {
    throw Object.assign(new Error(`${code}: no links here`), { code });
  });
  onTestFinished(() => answer(linkSync));
}
beforeEach(() => refuseLinks("EPERM"));

const pipeline = shellPipeline({ a: { run: "true" } });

/** A run that is over, as one that a process may go on with. */
async function finishedRun() {
  const { folder } = await runPipeline(pipeline, { pipelineRoot: makeFolder() });
  const locks = () => readdirSync(folder).filter((name) => name.startsWith("run.lock"));
  return {
    lock: join(folder, "run.lock"),
    locks,
    resume: () => runPipeline(pipeline, { resumeFrom: folder }),
  };
}

const codes = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK"];
test.each(codes)("a run runs where links fail with %s", async (code) => {
  refuseLinks(code);
  const { locks, resume } = await finishedRun();
  expect([(await resume()).state, locks()]).toEqual(["SUCCEEDED", []]);
});

test("what else prevents a link prevents the run", async () => {
  refuseLinks("EROFS");
  await expect(finishedRun()).rejects.toThrow("the run cannot be started: EROFS");
});

test("a process has its run alone for as long as it works on it", async () => {
  const [pipelineRoot, marks] = [makeFolder(), makeFolder()];
  const [started, gate] = [join(marks, "started"), join(marks, "gate")];
  const task: ShellTask = { run: `touch ${started}; until test -e ${gate}; do sleep 0.05; done` };
  const running = runPipeline(shellPipeline({ task }), { pipelineRoot });
  await expect.poll(() => existsSync(started), { timeout: 60_000 }).toBe(true);
  const folder = join(pipelineRoot, readdirSync(pipelineRoot)[0] ?? "");
  const other = runPipeline(shellPipeline({ task }), { resumeFrom: folder });
  await expect(other).rejects.toThrow(`process ${process.pid} is working on the run in ${folder}`);
  writeFileSync(gate, "");
  expect([(await running).state, existsSync(join(folder, "run.lock"))]).toEqual(["SUCCEEDED", false]);
});

test("a lock whose process is gone is taken over", async () => {
  const { lock, locks, resume } = await finishedRun();
  writeFileSync(lock, "999999999");
  expect([(await resume()).state, locks()]).toEqual(["SUCCEEDED", []]);
});

test("a lock without content is that of a process which has just begun, unless it is old", async () => {
  const { lock, locks, resume } = await finishedRun();
  writeFileSync(lock, "");
  await expect(resume()).rejects.toThrow("another process, which has just begun, is working on the run");
  expect(readFileSync(lock, "utf8")).toBe("");
  utimesSync(lock, new Date(), new Date(Date.now() - 60_000));
  expect([(await resume()).state, locks()]).toEqual(["SUCCEEDED", []]);
});
