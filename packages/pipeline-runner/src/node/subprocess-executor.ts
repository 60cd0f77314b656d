import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { checkOptions, describeValue, ownEntry } from "@wye/pipeline-spec";
import { checkTimes, longer } from "./check-times.js";
import type { Executor, Work, WorkContext, WorkResult } from "./executor.js";
import { type Program, runProgram } from "./run-program.js";

/** What an image means on this machine. */
export interface LocalImage {
  /** What runs when a component gives no command. */
  readonly entrypoint?: readonly string[];
  /** Variables that the image sets. */
  readonly environment?: { readonly [name: string]: string };
  /** Folders in which its programs are, before those of `PATH`: the `bin` of a virtual environment, say. */
  readonly path?: readonly string[];
}

/** How `subprocessExecutor` runs containers. */
export interface SubprocessOptions {
  /** What images mean on this machine, by their name in the pipeline. */
  readonly images?: { readonly [image: string]: LocalImage };
  /** Whether containers of other images run with what this machine has (the default, with a warning) or are refused. */
  readonly unknownImages?: "run" | "refuse";
  /** The variables that all tasks get; those of this process by default. */
  readonly environment?: { readonly [name: string]: string | undefined };
  /** How long an attempt may take. */
  readonly timeoutMs?: number;
  /** How long a task that is told to end may take before it is killed; 5 s by default. */
  readonly graceMs?: number;
}

/**
 * Runs the command of a container as a process of this machine, in the folder of the task. Image and resources are not enforced. When
 * an attempt ends, all processes of its group end: when it is cancelled, and also when this process is killed.
 */
export function subprocessExecutor(options: SubprocessOptions = {}): Executor {
  checkOptions("subprocessExecutor", options, {
    images: "object",
    unknownImages: ["run", "refuse"],
    environment: "any",
    timeoutMs: "any",
    graceMs: "any",
  });
  checkTimes("subprocessExecutor", options);
  for (const [name, image] of Object.entries(options.images ?? {})) checkImage(name, image);
  const { graceMs = 5000 } = options;
  return {
    // After its grace a process is killed; a disk that does not answer keeps it all the same.
    endsWithinMs: longer(graceMs, 10_000),
    cacheKey: ({ container: { image } }) => ["subprocess", meaningOf(image, options)],
    execute: async (work, context) => {
      const program = programOf(work, options, context);
      return "ok" in program ? program : runProgram(program, context);
    },
  };
}

function checkImage(name: string, image: LocalImage): void {
  const caller = `the image ${JSON.stringify(name)} of subprocessExecutor`;
  checkOptions(caller, image, { entrypoint: "any", environment: "object", path: "any" });
  const { entrypoint, path } = image;
  for (const [option, texts] of Object.entries({ entrypoint, path })) {
    const isTexts = Array.isArray(texts) && texts.every((one) => typeof one === "string");
    if (texts !== undefined && !isTexts)
      throw new TypeError(
        `the option "${option}" of ${caller} is a list of texts, not ${describeValue(texts)}`,
      );
  }
}

/** What an image is here, in whole paths; of one whose name is not known before the task starts, what all of them are. */
function meaningOf(name: string, { images = {} }: SubprocessOptions): unknown {
  if (name.includes("{{")) return Object.keys(images).map((one) => [one, meaningOf(one, { images })]);
  const { entrypoint, path = [], environment = {} } = ownEntry(images, name) ?? {};
  // In whichever order variables are named.
  return {
    entrypoint,
    environment: Object.entries(environment).sort(),
    path: path.map((one) => resolve(one)),
  };
}

function programOf(work: Work, options: SubprocessOptions, { warn }: WorkContext): Program | WorkResult {
  const {
    images = {},
    unknownImages = "run",
    // biome-ignore lint/style/noProcessEnv: tasks get the variables of this process, as programs that a shell starts do
    environment = process.env,
    timeoutMs,
    graceMs = 5000,
  } = options;
  const image = ownEntry(images, work.image);
  if (image === undefined && unknownImages === "refuse") {
    return refused(`nothing says what the image ${work.image} is on this machine: add it to \`images\``);
  }
  if (image === undefined)
    warn(`the image ${work.image} is not used: its commands run with what this machine has`);
  if (work.task.container.resources !== undefined)
    warn("the resources that containers ask for are not enforced: their commands have what this machine has");
  const [command, ...args] = [
    ...(work.command.length > 0 ? work.command : (image?.entrypoint ?? [])),
    ...work.args,
  ];
  if (command === undefined || (work.command.length === 0 && image?.entrypoint === undefined)) {
    const help = `give its entrypoint: images: { ${JSON.stringify(work.image)}: { entrypoint: [ … ] } }`;
    return refused(
      `the component has no command, and what the image ${work.image} runs is not known here; ${help}`,
    );
  }
  const own = { ...environment, ...image?.environment, ...work.environment };
  const path = [
    ...(image?.path ?? []).map((one) => resolve(one)),
    own.PATH ?? "/usr/local/bin:/usr/bin:/bin",
  ];
  const env = { ...own, PATH: path.join(delimiter) };
  const file = findProgram(command, env.PATH, work.folder);
  if (file === undefined) return refused(withoutProgram(command, work));
  return { file, args, environment: env, folder: work.folder, timeoutMs, graceMs };
}

function refused(message: string): WorkResult {
  return { ok: false, message, retry: false };
}

/** Why a command has no program. */
function withoutProgram(command: string, { folder, image }: Work): string {
  const found = command.includes("/")
    ? statSync(resolve(folder, command), { throwIfNoEntry: false })
    : undefined;
  const name = JSON.stringify(command);
  if (found === undefined)
    return `there is no program ${name} on this machine; the image ${image} would have it`;
  return `the program ${name} cannot be run: it ${found.isDirectory() ? "is a folder, and no program" : "is not executable"}`;
}

/** The file that a command means, as a shell finds it. */
function findProgram(command: string, path: string, folder: string): string | undefined {
  if (command.includes("/")) return isProgram(resolve(folder, command)) ? command : undefined;
  return path
    .split(delimiter)
    .filter((one) => isAbsolute(one))
    .map((one) => join(one, command))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
