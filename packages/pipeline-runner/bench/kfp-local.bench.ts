import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { printPipeline } from "@wye/pipeline-spec";
import { figures } from "../../../scripts/bench-harness.js";
import { runPipeline } from "../src/node/index.js";
import { silent } from "./many-tasks.js";

// Beside `kfp local`, where a Python has `kfp`: WYE_PEER_PYTHON names it, `python3` otherwise. Each task is the program `true`, so that
// what is measured is what a run adds to it; the Python that kfp itself needs to start is not counted.

const python = process.env.WYE_PEER_PYTHON ?? "python3";
// What runs is in a folder beside this one.
const script = fileURLToPath(new URL("../bench/kfp_local.py", import.meta.url));
/** kfp's runner refuses commands in which this is not named; the validator asks for more then. */
const command = ["true", "kfp.dsl.executor_main"];

function hasKfp(): boolean {
  try {
    execFileSync(python, ["-c", "import kfp.local"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const folder = mkdtempSync(join(tmpdir(), "wye-bench-"));

/** The shortest of several runs, for each of the tasks. */
async function perTask(count: number, run: () => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const before = performance.now();
    await run();
    best = Math.min(best, performance.now() - before);
  }
  return best / count;
}

function kfpPerTask(count: number, venv: "venv" | "no-venv", runs: number): number {
  const file = join(folder, `${count}.yaml`);
  writeFileSync(file, printPipeline(silent(count, command)));
  const printed = execFileSync(python, [script, file, venv, `${runs}`], { encoding: "utf8" });
  const times: readonly number[] = JSON.parse(printed);
  return Math.min(...times) / count;
}

try {
  const count = 20;
  const pipeline = silent(count, command);
  const own = {
    "runPipeline, one task after another": await perTask(count, () =>
      runPipeline(pipeline, { pipelineRoot: folder, concurrency: 1, validate: false }),
    ),
    "child_process alone": await perTask(count, async () => {
      const [file = "", ...args] = command;
      for (let i = 0; i < count; i++)
        await once(spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] }), "close");
    }),
  };
  const peers: Readonly<Record<string, number>> = hasKfp()
    ? {
        "kfp local, in its own environment (use_venv=False)": kfpPerTask(count, "no-venv", 5),
        "kfp local, as it is by default": kfpPerTask(2, "venv", 2),
      }
    : {};
  figures<string>(
    "a task that does nothing",
    { ...own, ...peers },
    {
      unit: "ms",
      baseline: "child_process alone",
      note: hasKfp()
        ? "wall time for each task, the best of several runs"
        : `there is no kfp for ${python}: WYE_PEER_PYTHON names a Python that has it`,
    },
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
