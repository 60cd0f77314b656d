import { resolve } from "node:path";
import { messageOf } from "../../message-of.js";
import { readConfigured } from "../read-configured.js";
import { checkConfig } from "./check-config.js";
import { Config } from "./config.js";
import type { Nearest } from "./nearest.js";
import type { Problem } from "./parse-file.js";
import type { Setting } from "./setting.js";
import { settingsFromEnvironment, type Variables } from "./settings-from-environment.js";
import { settingsFromFile } from "./settings-from-file.js";

/** Where the configuration is taken from. */
export interface ConfigSources {
  readonly cwd: string;
  /** The file; variables alone count without one. */
  readonly file?: string;
  readonly allowMissingFile?: boolean;
  /** What to do where the file is not there, for who has not named it. */
  readonly missingHint?: string;
  /** Absent when variables do not count. */
  readonly variables?: Variables;
  /** Settings of the command line, which win. */
  readonly settings?: readonly Setting[];
  /** Gives the text of the file, if it is not to be read from the disk. */
  readonly readText?: () => Promise<FileText>;
}

/** The text of a file; nothing when it may be missing; or why it cannot be read. */
export type FileText = string | Problem | undefined;

/** A configuration with everything that is wrong with it. */
export interface LoadedConfig {
  readonly config: Config;
  /** With one of these it cannot be used. */
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** What it was taken from, for people. */
  readonly description: string;
  /** The file that it was taken from. */
  readonly text: FileText;
}

/** Reads a configuration: the file first, then variables over it. */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  const { file, variables, settings, readText = () => fileText(sources) } = sources;
  const text = await readText();
  const description = describe(sources, text !== undefined);
  if (typeof text === "object")
    return {
      config: Config.from([], { isWhole: false }).config,
      problems: [text],
      warnings: [],
      description,
      text,
    };
  const parts = {
    ...(text === undefined ? {} : { file: { text, name: file ?? "" } }),
    ...(variables === undefined ? {} : { variables }),
    ...(settings === undefined ? {} : { settings }),
  };
  return { ...(await read(parts)), description, text };
}

/** What looks for misspelled names is loaded for those who misspell: all of pipelines comes with it, and stays in memory. */
async function read(parts: ConfigParts): Promise<ReturnType<typeof readConfig>> {
  let isMisspelled = false;
  const found = readConfig(parts, () => {
    isMisspelled = true;
    return undefined;
  });
  if (!isMisspelled) return found;
  const { didYouMean } = await import("../../did-you-mean.js");
  return readConfig(parts, didYouMean);
}

/** What a configuration is read from, once everything is there. */
export interface ConfigParts {
  readonly file?: { readonly text: string; readonly name: string };
  readonly variables?: Variables;
  readonly settings?: readonly Setting[];
}

/** Reads a configuration. Every mistake is reported at once. */
export function readConfig(
  { file, variables, settings = [] }: ConfigParts,
  nearest: Nearest,
): Omit<LoadedConfig, "description" | "text"> {
  const read = file === undefined ? undefined : settingsFromFile(file.text, file.name, nearest);
  const ofFile = Config.from(read?.settings ?? []);
  const ofVariables =
    variables === undefined ? undefined : settingsFromEnvironment(variables, ofFile.config, nearest);
  const unreadable = read?.problems ?? [];
  const all = Config.from([...(read?.settings ?? []), ...(ofVariables?.settings ?? []), ...settings], {
    isWhole: unreadable.length === 0,
  });
  const checked = checkConfig(all.config);
  return {
    config: all.config,
    problems: inOrder([
      ...unreadable,
      ...all.problems,
      ...(ofVariables?.problems ?? []),
      ...checked.problems,
    ]),
    warnings: [...(ofVariables?.warnings ?? []), ...checked.warnings],
  };
}

/** Problems in the order of the file; what else there is stays behind them. */
export function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const lineOf = ({ at = "" }: Problem) => Number(/:(\d+)$/.exec(at)?.[1] ?? Number.MAX_SAFE_INTEGER);
  return problems.toSorted((a, b) => lineOf(a) - lineOf(b));
}

async function fileText({
  cwd,
  file,
  allowMissingFile = false,
  missingHint,
}: ConfigSources): Promise<FileText> {
  if (file === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readConfigured(resolve(cwd, file)));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // What some shells of Windows write is UTF-16.
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      return { message: `configuration file "${file}" is no UTF-8: save it as that` };
    if (code !== "ENOENT")
      return { message: `configuration file "${file}" cannot be read (${code ?? messageOf(error)})` };
    if (allowMissingFile) return undefined;
    const hint = missingHint === undefined ? "" : `: ${missingHint}`;
    return { message: `configuration file "${file}" does not exist${hint}` };
  }
}

function describe({ file, variables }: ConfigSources, hasFile: boolean): string {
  if (file === undefined || !hasFile)
    return variables === undefined ? "defaults" : "configuration from environment variables";
  return `configuration file ${file}${variables === undefined ? "" : " plus environment variables"}`;
}
