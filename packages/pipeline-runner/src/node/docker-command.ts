import type { Work, WorkContext, WorkResult } from "./executor.js";
import { runProgram } from "./run-program.js";

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

/** What commands are run for, and how. */
export interface DockerCommand {
  readonly work: Work;
  readonly context: WorkContext;
  readonly options: DockerOptions;
}

/** How long an engine may take to answer. */
const answerMs = 10_000;
/** How long a command may take to end when nobody waits for its answer any more. */
const endMs = 2000;

/** Runs the `docker` command for an attempt of a task. */
export function docker(
  args: readonly string[],
  { work, context, options }: DockerCommand,
  timeoutMs?: number,
): Promise<WorkResult> {
  const { program = "docker" } = options;
  // biome-ignore lint/style/noProcessEnv: the command finds its engine and its registries by variables
  const environment = process.env;
  const { folder } = work;
  const command = { file: "/usr/bin/env", args: [program, ...args], environment, folder, graceMs: endMs };
  return runProgram({ ...command, timeoutMs }, context);
}

/** What a command beside the task heeds. */
export interface BesideOptions extends Partial<Pick<WorkContext, "signal" | "log">> {
  /** How long the engine may take. */
  readonly limitMs?: number;
}

/**
 * Runs a command beside the task: also when that was cancelled, unless it is given its signal, and what it prints is not of the task. An
 * engine that does not answer is given up.
 */
export function beside(
  args: readonly string[],
  command: DockerCommand,
  { signal = new AbortController().signal, log = () => {}, limitMs = answerMs }: BesideOptions = {},
): Promise<WorkResult> {
  const { warn } = command.context;
  return docker(args, { ...command, context: { signal, log, warn } }, limitMs);
}
