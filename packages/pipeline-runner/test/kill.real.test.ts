import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Pipeline, printPipeline } from "@wye/pipeline-spec";
import { afterEach, describe, expect, test } from "vitest";
import { PipelineRunError } from "../src/index.js";
import { type Executor, runPipeline, subprocessExecutor } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { type ShellTask, shellPipeline } from "./shell-pipeline.js";

// What is left when processes are killed and disks are full: the right state, a clear message, no process, no stray file.

const program = fileURLToPath(new URL("./programs/host.mjs", import.meta.url));
const hosts: ChildProcess[] = [];
afterEach(() => {
  for (const host of hosts.splice(0)) host.kill("SIGKILL");
});

/** A process that runs a pipeline, and what it prints. */
function startHost(pipeline: Pipeline, options: object) {
  const file = join(makeFolder(), "pipeline.yaml");
  writeFileSync(file, printPipeline(pipeline));
  const host = spawn(process.execPath, [program, file, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  hosts.push(host);
  let printed = "";
  host.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const ended = once(host, "close").then(() => JSON.parse(printed.trim().split("\n").at(-1) ?? ""));
  // A host that is killed prints nothing at its end.
  ended.catch(() => {});
  return { host, ended };
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
};
const linesOf = (file: string) => (existsSync(file) ? readFileSync(file, "utf8").trim().split(/\s+/) : []);
const patience = { timeout: 60_000, interval: 20 };
const pidsIn = async (file: string, count: number) => {
  await expect.poll(() => linesOf(file).length, patience).toBe(count);
  return linesOf(file).map(Number);
};
const allGone = (pids: readonly number[]) => expect.poll(() => pids.filter(isAlive), patience).toEqual([]);
const runIn = (root: string) => join(root, readdirSync(root).find((name) => name.startsWith("shell-")) ?? "");

/** Three processes that do not end when they are asked to: a task, its child and its grandchild. */
const stubborn = (pids: string) =>
  `trap '' TERM; sh -c 'trap "" TERM; sleep 1000 & echo $! $$$$ >> ${pids}; wait' & echo $$$$ >> ${pids}; wait`;

describe("a host that is killed", () => {
  test("leaves no process, and a run that goes on where it was", async () => {
    const [root, marks, pids] = [makeFolder(), join(makeFolder(), "marks"), join(makeFolder(), "pids")];
    const flag = join(makeFolder(), "flag");
    const tasks: Record<string, ShellTask> = {
      first: { run: `echo first >> ${marks}; printf 1 > "$1"`, gives: true },
      second: {
        run: `echo second >> ${marks}; touch half; test -e ${flag} && exit 0; ${stubborn(pids)}`,
        takes: "first",
        makes: true,
      },
      beside: { run: `echo beside >> ${marks}; test -e ${flag} || { ${stubborn(pids)}; }` },
      last: {
        run: `printf "$3" > "$1"; cat "$4" >> "$1" || true`,
        after: ["beside"],
        takes: "first",
        gives: true,
      },
    };
    const { host } = startHost(shellPipeline(tasks), { pipelineRoot: root, concurrency: 4 });
    const running = await pidsIn(pids, 6);
    host.kill("SIGKILL");
    await allGone(running);
    await expect.poll(() => isAlive(host.pid ?? 0), patience).toBe(false);
    writeFileSync(flag, "");
    const result = await runPipeline(shellPipeline(tasks), { resumeFrom: runIn(root) });
    expect([result.state, result.error]).toEqual(["SUCCEEDED", undefined]);
    expect(linesOf(marks).toSorted()).toEqual(["beside", "beside", "first", "second", "second"]);
    expect(result.tasks.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
    const files = ["beside", "first", "last", "run.jsonl", "second", "workspace"];
    expect(readdirSync(result.folder).toSorted()).toEqual(files);
  });

  test("while it waits for tasks that do not want to end leaves none of them", async () => {
    const [root, pids] = [makeFolder(), join(makeFolder(), "pids")];
    const pipeline = shellPipeline({ task: { run: stubborn(pids) } });
    const { host } = startHost(pipeline, { pipelineRoot: root, timeoutMs: 3000, graceMs: 600_000 });
    const running = await pidsIn(pids, 3);
    const journal = () => readFileSync(join(runIn(root), "run.jsonl"), "utf8");
    await expect.poll(() => journal().includes(`"kind":"cancel"`), patience).toBe(true);
    host.kill("SIGKILL");
    await allGone(running);
    await expect.poll(() => isAlive(host.pid ?? 0), patience).toBe(false);
    // What was cancelled goes on, here with somebody more willing.
    const executor: Executor = { execute: async () => ({ ok: true }) };
    const result = await runPipeline(pipeline, { resumeFrom: runIn(root), executor });
    expect([result.state, result.tasks[0]?.state]).toEqual(["SUCCEEDED", "SUCCEEDED"]);
    expect(linesOf(pids).length).toBe(3);
  });

  test("at any moment of many short tasks has lost none that had finished", async () => {
    const [root, marks] = [makeFolder(), join(makeFolder(), "marks")];
    const names = Array.from({ length: 12 }, (_, i) => `t${i}`);
    const tasks = Object.fromEntries(
      names.map((name, i): [string, ShellTask] => [
        name,
        { run: `echo ${name} >> ${marks}`, after: names.slice(Math.max(0, i - 2), i) },
      ]),
    );
    for (let round = 1; round <= 3; round++) {
      const { host } = startHost(
        shellPipeline(tasks),
        round === 1 ? { pipelineRoot: root } : { resumeFrom: runIn(root) },
      );
      await expect.poll(() => linesOf(marks).length, patience).toBeGreaterThanOrEqual(round * 3);
      host.kill("SIGKILL");
      await expect.poll(() => isAlive(host.pid ?? 0), patience).toBe(false);
    }
    const journal = readFileSync(join(runIn(root), "run.jsonl"), "utf8");
    const finished = names.filter((name) =>
      journal.includes(`"task":"${name}","report":{"state":"SUCCEEDED"`),
    );
    const before = linesOf(marks);
    const result = await runPipeline(shellPipeline(tasks), { resumeFrom: runIn(root) });
    expect(result.state).toBe("SUCCEEDED");
    const after = linesOf(marks).slice(before.length);
    expect(after.filter((name) => finished.includes(name))).toEqual([]);
    expect(new Set(linesOf(marks))).toEqual(new Set(names));
  });
});

describe("several hosts", () => {
  test("that resume one run at once: one of them does, and the others say who has it", async () => {
    const [root, go] = [makeFolder(), join(makeFolder(), "go")];
    const pipeline = shellPipeline({ task: { run: `until test -e ${go}; do sleep 0.05; done` } });
    const first = startHost(pipeline, { pipelineRoot: root });
    await expect
      .poll(() => existsSync(join(root, readdirSync(root)[0] ?? "none", "task")), patience)
      .toBe(true);
    first.host.kill("SIGKILL");
    await expect.poll(() => isAlive(first.host.pid ?? 0), patience).toBe(false);
    const others = Array.from({ length: 4 }, () => startHost(pipeline, { resumeFrom: runIn(root) }));
    writeFileSync(go, "");
    const ends = await Promise.all(others.map(({ ended }) => ended));
    expect(ends.filter(({ state }) => state === "SUCCEEDED").length).toBeGreaterThanOrEqual(1);
    for (const { state, code, message } of ends)
      expect(`${state ?? code} ${message ?? ""}`).toMatch(
        /^(SUCCEEDED |state process \d+ is working on the run)/,
      );
    const journal = readFileSync(join(runIn(root), "run.jsonl"), "utf8");
    expect(journal.match(/"state":"SUCCEEDED"/g)?.length).toBe(1);
    expect(readdirSync(runIn(root)).toSorted()).toEqual(["run.jsonl", "task", "workspace"]);
  });

  test("that share a cache do not disturb each other", async () => {
    const root = makeFolder();
    const task = { cachingOptions: { enableCache: true } };
    const tasks = Object.fromEntries(
      Array.from({ length: 10 }, (_, i): [string, ShellTask] => [
        `t${i}`,
        { run: `printf ${i} > "$1"; printf ${i} > "$2"`, gives: true, makes: true, task },
      ]),
    );
    const options = { pipelineRoot: root, cache: true };
    const runs = Array.from({ length: 3 }, () => startHost(shellPipeline(tasks), options));
    for (const { ended } of runs) expect(await ended).toMatchObject({ state: "SUCCEEDED" });
    const entries = readdirSync(join(root, ".cache"));
    expect(entries.filter((name) => !/^[0-9a-f]{64}\.json$/.test(name))).toEqual([]);
    expect(entries.length).toBe(10);
    const again = await runPipeline(shellPipeline(tasks), options);
    expect(again.tasks.map(({ cached }) => cached)).toEqual(Array.from({ length: 10 }, () => true));
  });
});

describe("tasks", () => {
  test("one that is killed from outside fails, and its children end with it", async () => {
    const pids = join(makeFolder(), "pids");
    const run = runPipeline(shellPipeline({ task: { run: stubborn(pids) } }), { pipelineRoot: makeFolder() });
    const running = await pidsIn(pids, 3);
    const leader = Number(readFileSync(`/proc/${running[0]}/stat`, "utf8").split(") ")[1]?.split(" ")[2]);
    process.kill(leader, "SIGKILL");
    const result = await run;
    expect(result.error).toMatchObject({ message: "it was killed by SIGKILL", task: "task" });
    await allGone(running);
  });

  test("one that floods its output and does not want to end is cancelled all the same", async () => {
    const pids = join(makeFolder(), "pids");
    const controller = new AbortController();
    const run = runPipeline(
      shellPipeline({ task: { run: `trap '' TERM; yes & echo $! $$$$ > ${pids}; yes` } }),
      {
        pipelineRoot: makeFolder(),
        signal: controller.signal,
        executor: subprocessExecutor({ graceMs: 500 }),
      },
    );
    const running = await pidsIn(pids, 2);
    controller.abort();
    const result = await run;
    expect(result.state).toBe("CANCELLED");
    await allGone(running);
    expect(readFileSync(result.tasks[0]?.log ?? "").length).toBeLessThan(67 * 2 ** 20);
  });

  test("the shell that watches survives what the task does to its group", async () => {
    const pids = join(makeFolder(), "pids");
    const run = `trap '' TERM; kill -TERM 0; ${stubborn(pids)}`;
    const { host } = startHost(shellPipeline({ task: { run } }), { pipelineRoot: makeFolder() });
    const running = await pidsIn(pids, 3);
    host.kill("SIGKILL");
    await allGone(running);
  });
});

/** A small disk of its own, or why there is none here. */
function smallDisk(): { readonly path: string; readonly release: () => void } | string {
  const path = makeFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "wye-test", path], { stdio: "pipe" });
    return { path, release: () => execFileSync("umount", ["--lazy", path]) };
  } catch (error) {
    return `a small disk cannot be mounted here: ${error instanceof Error ? error.message : String(error)}`;
  }
}
const probe = smallDisk();
if (typeof probe === "object") probe.release();
const without = typeof probe === "string" ? probe : undefined;
if (without !== undefined) console.warn(`a full disk is left out: ${without}`);

describe.skipIf(without !== undefined)(
  without === undefined ? "a full disk" : `a full disk, left out: ${without}`,
  () => {
    const onSmallDisk = async (of: (path: string) => Promise<void>) => {
      const disk = smallDisk();
      if (typeof disk === "string") return expect.unreachable(disk);
      try {
        await of(disk.path);
      } finally {
        disk.release();
      }
    };

    test("ends the run with a message, without a process; with room again it goes on", async () => {
      await onSmallDisk(async (path) => {
        const [pids, big, flag] = [join(makeFolder(), "pids"), join(path, "big"), join(makeFolder(), "flag")];
        const names = Array.from({ length: 60 }, (_, i) => `t${i}`);
        const tasks: Record<string, ShellTask> = {
          beside: { run: `test -e ${flag} || { ${stubborn(pids)}; }` },
          fill: {
            run: `until test -e ${pids}; do sleep 0.02; done; test -e ${flag} || cat /dev/zero > ${big}; true`,
          },
          // What the journal has to say of these does not fit on a page of it that is there already.
          ...Object.fromEntries(
            names.map((name): [string, ShellTask] => [name, { run: "true", after: ["fill"] }]),
          ),
        };
        const executor = subprocessExecutor({ graceMs: 200 });
        const options = { pipelineRoot: path, concurrency: 3, executor };
        const failed = runPipeline(shellPipeline(tasks), options);
        await expect(failed).rejects.toThrow(
          /the journal .*run\.jsonl cannot be written: ENOSPC.*resumeFrom/,
        );
        await expect(failed).rejects.toThrow(PipelineRunError);
        await allGone(linesOf(pids).map(Number));
        rmSync(big);
        writeFileSync(flag, "");
        const result = await runPipeline(shellPipeline(tasks), { resumeFrom: runIn(path), executor });
        expect([result.state, result.error]).toEqual(["SUCCEEDED", undefined]);
      });
    });

    test("from the start leaves nothing of the run", async () => {
      await onSmallDisk(async (path) => {
        execFileSync(
          "sh",
          ["-c", "cat /dev/zero > big 2>/dev/null || cat /dev/zero > big2 2>/dev/null || true"],
          { cwd: path },
        );
        const run = runPipeline(shellPipeline({ task: { run: "true" } }), { pipelineRoot: path });
        await expect(run).rejects.toThrow(/ENOSPC/);
        expect(readdirSync(path).filter((name) => !name.startsWith("big"))).toEqual([]);
      });
    });

    test("on which only the journal has no room leaves nothing, and promises nothing", async () => {
      await onSmallDisk(async (path) => {
        const big = join(path, "big");
        execFileSync("sh", ["-c", `cat /dev/zero > "$0" 2>/dev/null || true`, big]);
        // A page for the lock.
        truncateSync(big, statSync(big).size - 4096);
        const run = runPipeline(shellPipeline({ task: { run: "true" } }), { pipelineRoot: path });
        await expect(run).rejects.toThrow(/^the run cannot be started: ENOSPC[^;]*$/);
        expect(readdirSync(path)).toEqual(["big"]);
      });
    });

    test("loses the log of a task, and says so, when only that has no room", async () => {
      await onSmallDisk(async (path) => {
        const pipeline = shellPipeline({ task: { run: "head -c 1000000 /dev/zero" } });
        const result = await runPipeline(pipeline, { pipelineRoot: path });
        expect(result.state).toBe("SUCCEEDED");
        expect(result.warnings.join()).toMatch(/the log .*log-1\.txt is not complete: ENOSPC/);
      });
    });
  },
);
