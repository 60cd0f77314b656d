import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { built } from "../../../scripts/built.js";
import { shellPipeline } from "../test/run-program.js";

// The first process of a container is sent no signal that it does not listen to: none ends it by itself.
const program = built(new URL("..", import.meta.url), "main.js");

/** The program as process 1 of a namespace. */
function start(cwd: string, ...args: readonly string[]) {
  const asProcessOne = ["--user", "--map-user=1000", "--pid", "--fork", "--kill-child", "--"];
  const child: ChildProcess = spawn("unshare", [...asProcessOne, process.execPath, program, ...args], {
    cwd,
    stdio: ["pipe", "ignore", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended: Promise<number | null> = once(child, "exit").then(([code]) => code);
  return {
    ended,
    /** Again and again until it ends: what comes before Node runs is lost. */
    async terminate(): Promise<number | null> {
      let isOver = false;
      void ended.then(() => {
        isOver = true;
      });
      while (!isOver) {
        signal(child);
        await pause(50);
      }
      return ended;
    },
  };
}

/** unshare itself takes no signals: they go to what it has forked. */
function signal({ pid }: ChildProcess): void {
  try {
    const [one] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
    if (Number(one) > 0) process.kill(Number(one), "SIGTERM");
  } catch {
    // It has ended meanwhile.
  }
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "wye-one-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("as process 1 a signal ends what has nothing to tidy up", async () => {
  expect(await start(makeFolder(), "pipeline", "check", "-").terminate()).toBe(143);
});

test("as process 1 a further signal ends what takes its time to end", async () => {
  const cwd = makeFolder();
  const up = join(cwd, "up");
  const line = `trap '' TERM; echo > ${up}; while :; do sleep 0.1; done`;
  writeFileSync(join(cwd, "deaf.json"), shellPipeline(line));
  const run = start(cwd, "pipeline", "run", "deaf.json");
  while (!existsSync(up)) await pause(20);
  expect(await run.terminate()).toBe(143);
});
