import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parameterTypeOf } from "@wye/pipeline-resolver";
import { jsonEquals, type Pipeline, pointer } from "@wye/pipeline-spec";
import type { PipelineRun } from "../pipeline-run.js";
import { PipelineRunError } from "../run-error.js";
import type { RunEvent } from "../run-event.js";
import { type RunSnapshot, withoutCancellation } from "../run-snapshot.js";
import { type RunOptions, resumeRun, resumeWithout, startRun } from "../start-run.js";
import { isFinal } from "../task-state.js";
import { folderOption } from "./folder-option.js";
import { localPath } from "./local-path.js";
import { makeFolders } from "./make-folders.js";
import { placeOf, placesOf, presenceOf } from "./places-of.js";
import { stampOf } from "./result-cache.js";
import { workspaceOf } from "./run-folder.js";
import { journalName, RunJournal } from "./run-journal.js";
import { lockRun } from "./run-lock.js";
import type { RunPipelineOptions } from "./run-pipeline-options.js";
import { safeName } from "./safe-name.js";
import { steadyClock } from "./steady-clock.js";
import { wholePaths } from "./whole-paths.js";

/** A run with what belongs to it on disk. */
export interface OpenRun {
  readonly run: PipelineRun;
  readonly path: string;
  readonly journal: RunJournal;
  /** What has happened in this process already. */
  readonly events: readonly RunEvent[];
  /** What the user should know of the pipeline although it runs. */
  readonly warnings: readonly string[];
  /** Closes the files, so that others may go on with the run. */
  readonly close: () => void;
}

/** Makes the folder of a new run. When it cannot be started nothing is left of it. */
export async function startInFolder(pipeline: Pipeline, options: RunPipelineOptions): Promise<OpenRun> {
  if (options.validate ?? true) await refuseErrors(pipeline, options);
  const { runtimeConfig, parameters, profile, afterFailure, limits } = options;
  const artifacts = options.artifacts && wholePaths(options.artifacts);
  const root = rootOf(options);
  const now = new Date();
  const name = `${safeName(nameOf(pipeline))}-${stamp(now)}`;
  const given = { runtimeConfig, parameters, artifacts, profile, afterFailure, limits };
  const startOptions = (runId: string, path: string): RunOptions => ({
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    runId,
    pipelineRoot: root,
    at: now.getTime(),
    facts: {
      pipeline_job_create_time_utc: now.toISOString(),
      pipeline_job_schedule_time_utc: now.toISOString(),
      workspace_path: workspaceOf(path),
    },
  });
  // What is wrong with the parameters is told before there is a folder.
  refuseInexact(pipeline, startRun(pipeline, startOptions(name, join(root, name))));
  const path = makeRunFolder(root, name);
  try {
    const unlock = lockRun(path);
    const run = startRun(pipeline, startOptions(basename(path), path));
    mkdirSync(workspaceOf(path));
    const journal = RunJournal.start(path, run.snapshot());
    return { run, path, journal, events: run.events.slice(), warnings: [], close: closing(journal, unlock) };
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw folderError("the run cannot be started", error);
  }
}

/** Goes on with a run whose process is gone, or that was cancelled: what was running is to run again. */
export async function resumeInFolder(pipeline: Pipeline, options: RunPipelineOptions): Promise<OpenRun> {
  const { resumeFrom } = options;
  const path =
    typeof resumeFrom === "string"
      ? resolve(localPath(resumeFrom) ?? resumeFrom)
      : lastRun(rootOf(options), nameOf(pipeline));
  const unlock = lockExisting(path);
  let journal: RunJournal | undefined;
  try {
    const resumed = RunJournal.resume(path);
    journal = resumed.journal;
    const snapshot = withoutCancellation(resumed.snapshot);
    const { run, lacking } = await resumeWhole(snapshot);
    if (!jsonEquals(snapshot.pipeline, JSON.parse(JSON.stringify(pipeline)))) {
      throw new PipelineRunError(
        "snapshot",
        `the run in ${path} is of another pipeline, or of another version of it`,
      );
    }
    // A process that was only asleep, and comes back, writes into a file that is not there any more, and gives the run up.
    journal.replace(run.snapshot());
    const events: RunEvent[] = [];
    const lost = run.tasks.filter(
      ({ state, kind }) => state === "RUNNING" && kind !== "dag" && kind !== "loop",
    );
    const now = steadyClock(run.events.at(-1)?.at);
    for (const { id } of lost) {
      const report = { state: "QUEUED", at: now() } as const;
      events.push(...run.report(id, report));
      journal.append({ kind: "report", task: id, report });
    }
    const help = isFinal(run.state)
      ? ": start the run anew"
      : ", and it is done again, with all that came after it";
    const warnings = Array.from(lacking, ([id, what]) => `what ${id} had ${what}${help}`);
    return { run, path, journal, events, warnings, close: closing(journal, unlock) };
  } catch (error) {
    closing(journal, unlock)();
    throw folderError(cannotGoOn, error);
  }
}

/** The run of a snapshot, without the results that are no good any more if it goes on, and which these are, with the reason. */
async function resumeWhole(snapshot: RunSnapshot) {
  const lacking = new Map<string, string>();
  let run = resumeRun(snapshot);
  // What is done again asks for what nobody would have asked for.
  for (let found = await lackingResults(run, snapshot); found.size > 0; ) {
    for (const [id, what] of found) lacking.set(id, what);
    // A run that has ended is over.
    if (isFinal(run.state)) break;
    run = resumeWithout(snapshot, new Set(lacking.keys()));
    found = await lackingResults(run, snapshot);
  }
  return { run, lacking };
}

/**
 * The tasks of a run whose results are no good any more, and why: those of another run that are not as they were when they were taken, and
 * those that have lost what is still asked for, or all that was in it. Of a run that has ended nothing is asked for but what it gave.
 */
async function lackingResults(
  run: PipelineRun,
  { commands }: RunSnapshot,
): Promise<ReadonlyMap<string, string>> {
  const lacking = new Map<string, string>();
  const stamps = new Map(
    commands.flatMap((command) =>
      command.kind === "report" && command.report.state === "SUCCEEDED"
        ? [[command.task, command.report.stamp] as const]
        : [],
    ),
  );
  const isOver = isFinal(run.state);
  const asked = new Set(isOver ? placesOf(run.outputs?.artifacts ?? {}) : run.awaited.map(placeOf));
  for (const { id, cached, outputs } of run.tasks) {
    const stamp = stamps.get(id);
    const places = placesOf(outputs?.artifacts ?? {});
    if (isOver && !places.some((place) => asked.has(place))) continue;
    if (cached) {
      if (stamp !== (await stampOf(outputs?.artifacts ?? {})))
        lacking.set(id, "taken from the cache is gone or has changed");
    } else if (stamp !== undefined) {
      // What a task has moved away is missed by nobody when nothing that is to run is given it.
      const now = presenceOf(places);
      const gone = places.filter((place, i) => (now[i] ?? "") < (stamp[i] ?? "") && asked.has(place));
      const more = gone.length > 1 ? ` and ${gone.length - 1} more` : "";
      if (gone.length > 0) lacking.set(id, `made is gone (${gone[0]}${more})`);
    }
  }
  return lacking;
}

function closing(journal: RunJournal | undefined, unlock: () => void): () => void {
  return () => {
    try {
      journal?.close();
    } finally {
      unlock();
    }
  };
}

function lockExisting(path: string): () => void {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new PipelineRunError("snapshot", `there is no run to resume: there is no folder ${path}`);
    if (!existsSync(join(path, journalName)))
      throw new PipelineRunError(
        "snapshot",
        `there is no run to resume: ${path} is no folder of a run, it has no ${journalName}`,
      );
    return lockRun(path);
  } catch (error) {
    throw folderError(cannotGoOn, error);
  }
}

const cannotGoOn = "the run cannot go on";

/** What the file system says, with what it prevents. */
function folderError(what: string, error: unknown): unknown {
  if (!(error instanceof Error && "code" in error) || error instanceof PipelineRunError) return error;
  return new PipelineRunError("folder", `${what}: ${error.message}`);
}

/** Refuses a pipeline with errors. */
async function refuseErrors(pipeline: Pipeline, { profile = "kfp" }: RunPipelineOptions): Promise<void> {
  // Whoever only shows a run never loads the rules.
  const { validatePipeline } = await import("@wye/pipeline-validator");
  // Of values that a run is started with, those beside the file may be the ones that it lacks: `startRun` knows all of them.
  const rules = { "runtime-parameter-missing": "off" } as const;
  const { ok, problems } = validatePipeline(pipeline, { profile, rules });
  const errors = problems.filter(({ severity }) => severity === "error");
  if (!ok) throw new PipelineRunError("pipeline", "the pipeline has errors, and is not run", errors);
}

/** Refuses integers that the run would be started with, and that may have had other digits where somebody wrote them. */
function refuseInexact({ spec }: Pipeline, { inputs }: PipelineRun): void {
  const problems = Object.entries(spec.root?.inputDefinitions?.parameters ?? {}).flatMap(
    ([name, declared]) => {
      const value = inputs.parameters[name];
      const isGiven = !inputs.defaulted.includes(name) && parameterTypeOf(declared) === "NUMBER_INTEGER";
      if (!isGiven || !Number.isInteger(value) || Number.isSafeInteger(value)) return [];
      const message = `the integer ${value} may have been another one: larger ones than 2^53 - 1 are texts (STRING)`;
      const path = pointer("/parameterValues", name);
      return [{ code: "type", severity: "error", path, message } as const];
    },
  );
  if (problems.length > 0)
    throw new PipelineRunError("parameters", "the run cannot start with these inputs", problems);
}

function makeRunFolder(root: string, name: string): string {
  try {
    makeFolders(root);
  } catch (error) {
    throw folderError("the folder of runs cannot be made, choose another pipelineRoot", error);
  }
  for (let number = 1; ; number++) {
    const path = join(root, number === 1 ? name : `${name}-${number}`);
    try {
      mkdirSync(path);
      return path;
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EEXIST";
      if (!isTaken || number > 1000)
        throw folderError("nothing can be written there, choose another pipelineRoot", error);
    }
  }
}

const rootOf = ({ pipelineRoot = "./local_outputs" }: RunPipelineOptions): string =>
  folderOption("pipelineRoot", pipelineRoot);

const nameOf = ({ spec }: Pipeline): string => spec.pipelineInfo?.name || "pipeline";

/** The folder of the run of a pipeline that was started last. */
function lastRun(root: string, pipeline: string): string {
  const prefix = `${safeName(pipeline)}-`;
  const stamped = /^\d{4}(-\d\d){5}-\d{3}(-\d+)?$/;
  const names = existsSync(root) ? readdirSync(root) : [];
  const last = names
    .filter((name) => name.startsWith(prefix) && stamped.test(name.slice(prefix.length)))
    .filter((name) => existsSync(join(root, name, journalName)))
    .sort(new Intl.Collator("en", { numeric: true }).compare)
    .at(-1);
  if (last !== undefined) return join(root, last);
  const message = `there is no run to resume: ${root} has none of the pipeline ${JSON.stringify(pipeline)}`;
  throw new PipelineRunError("snapshot", message);
}

/** A moment as part of a name: `2026-01-31-13-05-59-123`. */
function stamp(moment: Date): string {
  return moment.toISOString().replace(/[T:.]/g, "-").replace("Z", "");
}
