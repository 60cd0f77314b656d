import { execFileSync } from "node:child_process";
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type RunPipelineOptions, runPipeline } from "../src/node/index.js";
import { importing } from "./importing-pipeline.js";
import { makeFolder } from "./make-folder.js";

const run = (uri: string, line: string, more: RunPipelineOptions & { inPlace?: true } = {}) => {
  const { inPlace, ...options } = more;
  return runPipeline(importing(uri, line, { downloadToWorkspace: inPlace === undefined }), {
    pipelineRoot: makeFolder(),
    validate: false,
    ...options,
  });
};
function link(folder: string, target: string): string {
  symlinkSync(target, join(folder, "inside"));
  return "";
}
function sharesBlocks(): boolean {
  const file = join(makeFolder(), "file");
  writeFileSync(file, "text");
  try {
    copyFileSync(file, `${file}.copy`, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  }
}
function pipe(folder: string): string {
  execFileSync("mkfifo", [join(folder, "inside")]);
  return "";
}
const imported = (result: Awaited<ReturnType<typeof run>>) =>
  result.tasks.find(({ name }) => name === "bring")?.outputs?.artifacts.artifact?.artifacts[0];

test("what is meant for the workspace is a copy there, and what is changed in it changes nothing else", async () => {
  const data = join(makeFolder(), "data");
  mkdirSync(data);
  writeFileSync(join(data, "rows.csv"), "1\n");
  symlinkSync(join(data, "rows.csv"), join(data, "linked.csv"));
  const line = 'echo 2 >> "$0/rows.csv" && echo 3 >> "$0/linked.csv" && echo 4 > "$0/new.csv"';
  const result = await run(data, line);
  expect([result.state, result.error]).toEqual(["SUCCEEDED", undefined]);
  expect(readdirSync(data).toSorted()).toEqual(["linked.csv", "rows.csv"]);
  expect(readFileSync(join(data, "rows.csv"), "utf8")).toBe("1\n");
  const { uri, customPath = "", metadata } = imported(result) ?? {};
  expect([uri, metadata]).toEqual([data, { own: "words" }]);
  expect(customPath).toBe(join(result.folder, "workspace/.artifacts/importer/bring/data"));
  expect(readFileSync(join(customPath, "rows.csv"), "utf8")).toBe("1\n2\n");
  expect(readFileSync(join(customPath, "linked.csv"), "utf8")).toBe("1\n3\n");
});

test.each([
  ["a path", (file: string) => file, "1\n"],
  ["a URL", (file: string) => `file://${file}`, "1\n"],
  ["elsewhere", () => "gs://bucket/rows.csv", "far\n"],
])("a file keeps its name: %s", async (_, uriOf, before) => {
  const file = join(makeFolder(), "rows.csv");
  writeFileSync(file, "1\n", { mode: 0o444 });
  const stores = { gs: { fetch: async (_: string, path: string) => writeFileSync(path, "far\n") } };
  const line = 'echo more >> "$0"; case "$0" in *rows.csv) ;; *) exit 3; esac';
  const result = await run(uriOf(file), line, { stores });
  expect([result.state, result.error]).toEqual(["SUCCEEDED", undefined]);
  expect(imported(result)?.uri).toBe(uriOf(file));
  expect(readFileSync(imported(result)?.customPath ?? "", "utf8")).toBe(`${before}more\n`);
  expect(readFileSync(file, "utf8")).toBe("1\n");
});

test.each(["/.", "/sub/..", "/", ""])("a folder with %j at its end is copied under its name", async (end) => {
  const data = join(makeFolder(), "data");
  mkdirSync(join(data, "sub"), { recursive: true });
  const result = await run(`${data}${end}`, "true");
  expect([result.state, result.error]).toEqual(["SUCCEEDED", undefined]);
  expect(imported(result)?.customPath).toBe(join(result.folder, "workspace/.artifacts/importer/bring/data"));
});

test("what a store has fetched is called in the workspace as it is there, however long its URI", async () => {
  const stores = { gs: { fetch: async (_: string, path: string) => writeFileSync(path, "far\n") } };
  const result = await run(`gs://bucket/${"deep/".repeat(100)}rows.csv`, "true", { stores });
  const copy = join(result.folder, "workspace/.artifacts/importer/bring/rows.csv");
  expect([result.state, imported(result)?.customPath]).toEqual(["SUCCEEDED", copy]);
});

test("files whose names are no text are copied too", async () => {
  const data = join(makeFolder(), "data");
  mkdirSync(data);
  writeFileSync(Buffer.concat([Buffer.from(`${data}/caf`), Buffer.from([0xe9])]), "old\n");
  const result = await run(data, 'test "$(cat "$0"/caf*)" = old');
  expect([result.state, result.error]).toEqual(["SUCCEEDED", undefined]);
});

test("folders that are read-only can be changed in the workspace", async () => {
  const data = join(makeFolder(), "data");
  mkdirSync(data);
  writeFileSync(join(data, "rows.csv"), "1\n");
  chmodSync(data, 0o555);
  const result = await run(data, 'echo 2 > "$0/new.csv"');
  chmodSync(data, 0o755);
  expect(readdirSync(imported(result)?.customPath ?? "").toSorted()).toEqual(["new.csv", "rows.csv"]);
});

test("what is not meant for it is read in place, and leaves the workspace empty", async () => {
  const file = join(makeFolder(), "rows.csv");
  writeFileSync(file, "1\n");
  const result = await run(file, 'echo 2 >> "$0"', { inPlace: true });
  expect([result.state, imported(result)?.customPath]).toEqual(["SUCCEEDED", undefined]);
  expect(readFileSync(file, "utf8")).toBe("1\n2\n");
  expect(existsSync(join(result.folder, "workspace", ".artifacts"))).toBe(false);
});

describe("what cannot be copied fails the task with the reason, and leaves nothing of it", () => {
  test.each<[string, (folder: string) => string, RegExp]>([
    [
      "a link to nothing",
      (folder) => link(folder, "nowhere"),
      /inside is a link to what is not there, .*nowhere: it cannot be copied/,
    ],
    ["a link to what is around it", (folder) => link(folder, "."), /inside is inside of itself: it cannot/],
    ["the folder of the run itself", (folder) => folder, /.artifacts.* is inside of itself: it cannot/],
    ["a pipe", pipe, /inside is neither a file nor a folder: it cannot be copied/],
  ])("%s", async (_, fill, reason) => {
    const folder = makeFolder();
    const pipelineRoot = fill(folder) === folder ? folder : makeFolder();
    const result = await run(folder, "true", { pipelineRoot });
    expect(result.state).toBe("FAILED");
    expect(result.error?.message).toMatch(reason);
    expect(existsSync(join(result.folder, "workspace/.artifacts/importer/bring"))).toBe(false);
  });
});

// Where blocks are shared no copy takes long enough to be stopped.
test.skipIf(sharesBlocks())(
  "what is copied when the run is cancelled is left, and nothing stays of it",
  async () => {
    const folder = makeFolder();
    // It has no blocks of its own, and takes longer than anybody waits.
    writeFileSync(join(folder, "large"), "");
    truncateSync(join(folder, "large"), 2 ** 36);
    const user = new AbortController();
    const copied = (path: string) => join(path, "workspace/.artifacts/importer/bring");
    const pipelineRoot = makeFolder();
    const running = run(join(folder, "large"), "true", { pipelineRoot, signal: user.signal });
    const first = () => join(pipelineRoot, readdirSync(pipelineRoot)[0] ?? "none");
    await expect.poll(() => existsSync(join(copied(first()), "large")), { timeout: 60_000 }).toBe(true);
    user.abort();
    const { state, warnings } = await running;
    expect([state, warnings]).toEqual(["CANCELLED", []]);
    expect(existsSync(copied(first()))).toBe(false);
  },
);

test("what a task does to a copy is done in each run, though its result is kept", async () => {
  const data = join(makeFolder(), "data");
  writeFileSync(data, "1\n");
  const pipeline = importing(data, 'echo 2 >> "$0"', { enableCache: true });
  const pipelineRoot = makeFolder();
  for (const run of ["first", "second"]) {
    const result = await runPipeline(pipeline, { pipelineRoot, cache: true, validate: false });
    const { customPath = "" } = imported(result) ?? {};
    expect([result.state, readFileSync(customPath, "utf8")], run).toEqual(["SUCCEEDED", "1\n2\n"]);
  }
});

test("a run that was moved finds its copies where it is now", async () => {
  const data = join(makeFolder(), "data");
  writeFileSync(data, "1\n");
  const stopping = new AbortController();
  const line = 'echo "$0"; test -e "$0.ready" || { touch "$0.ready"; sleep 1000; }';
  const onLog = () => stopping.abort();
  const first = await run(data, line, { signal: stopping.signal, onLog });
  expect(first.state).toBe("CANCELLED");
  const folder = join(makeFolder(), "moved");
  renameSync(first.folder, folder);
  const copied = join(folder, "workspace/.artifacts/importer/bring/data");
  writeFileSync(`${copied}.ready`, "");
  const result = await runPipeline(importing(data, line), { resumeFrom: folder, validate: false });
  expect([result.state, result.error]).toEqual(["SUCCEEDED", undefined]);
  expect(imported(result)?.customPath).toBe(copied);
});
