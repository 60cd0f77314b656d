import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, isAbsolute, relative } from "node:path";
import { checkOptions, describeValue } from "@wye/pipeline-spec";
import { checkTimes, longer } from "./check-times.js";
import type { Executor, Work, WorkContext, WorkResult } from "./executor.js";
import { localPath } from "./local-path.js";
import { isOwn } from "./own-file.js";
import { LastWords, runProgram } from "./run-program.js";

/** How `dockerExecutor` runs containers. */
export interface DockerOptions {
  /** The program: `docker` by default, or one that takes the same arguments, such as `podman`. */
  readonly program?: string;
  /** When images are pulled; when they are missing by default. */
  readonly pull?: "always" | "missing" | "never";
  /**
   * The user in the container, as `uid:gid`; that of this process by default, so that files can be removed again. An engine without the
   * rights of root needs `0:0`, which is the user of this process there. Numbers other than root get `/tmp` for a home.
   */
  readonly user?: string;
  /** More arguments of `docker run`, such as `--network=none`. */
  readonly args?: readonly string[];
  /** How long an attempt may take. */
  readonly timeoutMs?: number;
  /** How long a container that is told to stop may take before it is killed; 5 s by default. */
  readonly graceMs?: number;
}

/** By this label all containers of runs are found: `docker ps --all --filter label=wye.run`. */
const label = "wye.run";

/**
 * Runs containers with the `docker` command. The folder of the task, those of its inputs and what the tasks of the run share have the
 * paths in the container that they have here. A container is stopped and removed with its attempt; one that a process left behind that
 * was killed is removed when its task runs again.
 */
export function dockerExecutor(options: DockerOptions = {}): Executor {
  checkOptions("dockerExecutor", options, {
    program: "any",
    pull: ["always", "missing", "never"],
    user: "any",
    args: "any",
    timeoutMs: "any",
    graceMs: "any",
  });
  checkTimes("dockerExecutor", options);
  const { args = [] } = options;
  if (!Array.isArray(args) || args.some((one) => typeof one !== "string"))
    throw new TypeError(`the option "args" of dockerExecutor is a list of texts, not ${describeValue(args)}`);
  let engine: Promise<WorkResult> | undefined;
  return {
    execute: async (work, context) => {
      const command = { work, context, options };
      engine ??= beside(["version", "--format", "{{.Server.Version}}"], command);
      const found = await engine;
      if (!found.ok) {
        engine = undefined;
        const message = `there is no container engine: \`${options.program ?? "docker"} version\`: ${found.message}`;
        return { ok: false, message, retry: false };
      }
      return context.signal.aborted ? { ok: false, message: "it was cancelled" } : run(command);
    },
  };
}

/** What commands are run for, and how. */
interface Command {
  readonly work: Work;
  readonly context: WorkContext;
  readonly options: DockerOptions;
}

async function run(command: Command): Promise<WorkResult> {
  const { work, context, options } = command;
  const { graceMs = 5000, timeoutMs } = options;
  // The same for every attempt: what an earlier process left behind is found by it.
  const name = `wye-${createHash("sha256").update(work.folder).digest("hex").slice(0, 24)}`;
  const seconds = String(Math.ceil(graceMs / 1000));
  const remove = () => beside(["rm", "--force", "--volumes", name], command);
  let stopping: Promise<unknown> | undefined;
  // The command that is told to end tells the container, which may need its whole time of grace.
  const stop = () => {
    stopping = beside(["stop", "-t", seconds, name], command);
  };
  const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signal = limit === undefined ? context.signal : AbortSignal.any([context.signal, limit]);
  signal.addEventListener("abort", stop, { once: true });
  try {
    await remove();
    const stray = strayMount(work);
    if (stray !== undefined)
      return {
        ok: false,
        message: `${stray} leads out of the run, and is not shown to a container`,
        retry: false,
      };
    if (signal.aborted) return { ok: false, message: "it was cancelled" };
    const words = new LastWords();
    const log = (chunk: Uint8Array | string) => {
      words.add(Buffer.from(chunk));
      context.log(chunk);
    };
    const result = await docker(dockerArguments(work, name, options), {
      work,
      context: { ...context, log, signal },
      options: { ...options, graceMs: longer(graceMs, 5000) },
    });
    if (limit?.aborted && !context.signal.aborted)
      return { ok: false, message: `its time of ${(timeoutMs ?? 0) / 1000} s was over` };
    return result.ok ? { ...result, isConfined: true } : await explained(result, { command, name, words });
  } finally {
    signal.removeEventListener("abort", stop);
    // Removing ends what still runs at once: it would take the time of grace away.
    await stopping;
    await remove();
  }
}

/** The command line that runs a container: what the specification calls its command is the entrypoint of an image. */
function dockerArguments(
  work: Work,
  name: string,
  { pull = "missing", user, args = [] }: DockerOptions,
): string[] {
  const { image, command, task, environment } = work;
  const own = user ?? ownUser();
  const [entrypoint, ...rest] = command;
  return [
    ...["run", "--name", name, "--label", `${label}=${task.id}`, "--pull", pull, "--init"],
    ...(own === undefined ? [] : ["--user", own]),
    ...["--workdir", work.folder],
    ...mounts(work).flatMap(({ path, isReadOnly }) => [
      "--mount",
      `type=bind,${quoted(`source=${path}`)},${quoted(`target=${path}`)}${isReadOnly ? ",readonly" : ""}`,
    ]),
    ...Object.entries({ ...homeOf(own), ...environment }).flatMap(([key, value]) => [
      "--env",
      `${key}=${value}`,
    ]),
    ...(entrypoint === undefined ? [] : ["--entrypoint", entrypoint]),
    ...args,
    image,
    ...rest,
    ...work.args,
  ];
}

interface Mount {
  readonly path: string;
  readonly isReadOnly: boolean;
}

/**
 * Whom an image does not know has `/` for a home and cannot write there, which what installs packages does. By name it knows its users, and
 * root has a home everywhere.
 */
const homeOf = (user = "0"): { readonly HOME?: string } =>
  /^0*[1-9]\d*(:|$)/.test(user) ? { HOME: "/tmp" } : {};

/** The folder of the task and what the run shares can be written, inputs only read. Nothing is mounted where nothing was written. */
function mounts({ folder, shared, executorInput }: Work): readonly Mount[] {
  const inputs = Object.values(executorInput.inputs?.artifacts ?? {}).flatMap(({ artifacts }) =>
    artifacts.flatMap(({ uri, customPath }) => customPath || localPath(uri) || []),
  );
  return [
    { path: folder, isReadOnly: false },
    { path: shared, isReadOnly: false },
    ...[...new Set(inputs)].filter((path) => existsSync(path)).map((path) => ({ path, isReadOnly: true })),
  ];
}

/** What an earlier task has put into the run as a link to somewhere else: it was not given that. */
function strayMount(work: Work): string | undefined {
  const run = dirname(work.shared);
  return mounts(work)
    .map(({ path }) => path)
    .find((path) => {
      const inside = relative(run, path);
      return !inside.startsWith("..") && !isAbsolute(inside) && !isOwn(path);
    });
}

/** A field of the comma-separated list that `--mount` takes. */
const quoted = (field: string): string => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

function ownUser(): string | undefined {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? undefined : `${uid}:${gid}`;
}

function docker(args: readonly string[], { work, context, options }: Command): Promise<WorkResult> {
  const { program = "docker", graceMs = 5000 } = options;
  // biome-ignore lint/style/noProcessEnv: the command finds its engine and its registries by variables
  const environment = process.env;
  const { folder } = work;
  const command = { file: "/usr/bin/env", args: [program, ...args], environment, folder, graceMs };
  return runProgram({ ...command, timeoutMs: undefined }, context);
}

/** Runs a command beside the task: also when that was cancelled, and what it prints is not of the task. */
function beside(
  args: readonly string[],
  command: Command,
  log: WorkContext["log"] = () => {},
): Promise<WorkResult> {
  const { warn } = command.context;
  return docker(args, { ...command, context: { signal: new AbortController().signal, log, warn } });
}

/** What the command adds to the reason why it has not started a container: how it is called. */
const isReason = (line: string): boolean => line !== "" && !/^(usage:|(run|see) '.* --help')/i.test(line);

/** Codes that may be those of the command, or of the engine that ends a container; else they are those of the program in it. */
const ofSeveral = new Set([125, 126, 127, 137]);

/** The failure of a container with its reason. */
async function explained(
  result: WorkResult,
  { command, name, words }: { readonly command: Command; readonly name: string; readonly words: LastWords },
): Promise<WorkResult> {
  if (result.ok || result.code === undefined || !ofSeveral.has(result.code)) return result;
  const answer = new LastWords();
  const format = "{{.State.StartedAt}} {{.State.OOMKilled}}";
  await beside(["container", "inspect", "--format", format, name], command, (chunk) =>
    answer.add(Buffer.from(chunk)),
  );
  const state = answer.line();
  // A container that was never started has the first year, and one that was never made has no state.
  if (!/^\d/.test(state) || state.startsWith("0001-")) {
    const message = `docker could not start the container: ${words.line(isReason) || result.message}`;
    return { ...result, message, retry: result.code === 125 };
  }
  if (result.code !== 137) return result;
  const { image } = command.work;
  const why = state.endsWith("true") ? `it had too little memory (${image})` : "it was killed";
  return { ...result, message: `${why}: ${result.message}` };
}
