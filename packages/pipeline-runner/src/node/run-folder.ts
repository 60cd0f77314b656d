import { chmod, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildExecutorInput } from "@wye/pipeline-resolver";
import type { ExecutorInput } from "@wye/pipeline-spec";
import type { PipelineRun } from "../pipeline-run.js";
import type { ReadyTask } from "../ready-task.js";
import type { RunTask } from "../run-task.js";
import { removeAll } from "./remove-all.js";
import { otherName, safeName } from "./safe-name.js";

/** Where the files of a run are: a folder per task, in one per DAG and one per iteration of a loop. */
export class RunFolder {
  readonly path: string;
  readonly #run: PipelineRun;

  constructor(path: string, run: PipelineRun) {
    this.path = path;
    this.#run = run;
  }

  /** The folder that tasks share, for artifacts and placeholders of the workspace. */
  get workspace(): string {
    return workspaceOf(this.path);
  }

  /** The folder of a task. */
  of({ id }: Pick<RunTask, "id">): string {
    const task = this.#run.task(id);
    if (task === undefined) return this.path;
    const { name, iteration, parent } = task;
    if (iteration === undefined) return join(this.of({ id: parent }), taskName(name));
    const loop = this.#run.task(parent);
    return join(this.of({ id: loop?.parent ?? "" }), `${taskName(name)}-iteration-${iteration}`);
  }

  /** The file with what an attempt has printed. */
  log(task: Pick<ReadyTask, "id" | "attempt">): string {
    return join(this.of(task), `log-${task.attempt}.txt`);
  }

  /** Empties the folder of a task, apart from logs, and makes those that its outputs go to. */
  async prepare(task: ReadyTask, folder: string): Promise<ExecutorInput> {
    // What is behind a link in its place is not that of the task.
    const found = await lstat(folder).catch(() => undefined);
    if (found !== undefined && !found.isDirectory()) await rm(folder);
    else if (found !== undefined) await chmod(folder, found.mode | 0o700);
    await mkdir(folder, { recursive: true });
    const old = (await readdir(folder)).filter((name) => !/^log-\d+\.txt$/.test(name));
    for (const name of old) await removeAll(join(folder, name));
    const { artifacts = {}, parameters = {} } = task.definition.outputDefinitions ?? {};
    const taken = new Set<string>();
    const artifactNames = outputNames(Object.keys(artifacts), taken);
    const parameterNames = outputNames(Object.keys(parameters), taken);
    const executorInput = buildExecutorInput(task.definition, task.inputs, {
      artifactUri: (key) => join(folder, artifactNames.get(key) ?? outputName(key)),
      parameterFile: (key) => join(folder, parameterNames.get(key) ?? outputName(key)),
      outputFile: join(folder, "executor_output.json"),
    });
    const files = Object.values(executorInput.outputs?.parameters ?? {}).map(({ outputFile }) => outputFile);
    for (const file of files) await mkdir(dirname(file), { recursive: true });
    return executorInput;
  }
}

/** The files of the run, and the folders of iterations, whose names tasks cannot have. */
const takenByRuns = /^(run\.(jsonl|lock)(\..*)?|workspace|fetched|.*-iteration-\d+)$/i;
const takenByTasks = /^(executor_output\.json|log-\d+\.txt)$/i;

function taskName(name: string): string {
  const safe = safeName(name);
  return takenByRuns.test(safe) ? otherName(safe) : safe;
}

/** What outputs are called in the folder of their task: all differ, also where capitals do not count. */
function outputNames(keys: readonly string[], taken: Set<string>): ReadonlyMap<string, string> {
  return new Map(
    keys.map((key) => {
      let name = outputName(key);
      while (taken.has(name.toLowerCase())) name = otherName(name);
      taken.add(name.toLowerCase());
      return [key, name];
    }),
  );
}

function outputName(key: string): string {
  const safe = safeName(key);
  return takenByTasks.test(safe) ? otherName(safe) : safe;
}

/** The folder that the tasks of a run share. */
export function workspaceOf(runFolder: string): string {
  return join(runFolder, "workspace");
}
