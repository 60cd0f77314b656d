import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { didYouMean, isObject } from "@wye/pipeline-spec";
import { type Profile, type RuleOptions, validatePipeline } from "@wye/pipeline-validator";
import { UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { messageOf } from "../message-of.js";
import { readText } from "../read-text.js";

/** What a configuration file can say. */
export interface CheckConfig {
  readonly profile?: Profile;
  /** Changes of severity, or a list of such changes and of own rules. */
  readonly rules?: RuleOptions;
}

const names = ["wye.config.mjs", "wye.config.json"];
const settings = ["profile", "rules"];
/** What else may stand in the file: editors look there. */
const ignored = ["$schema"];

/** The configuration in this folder or the nearest one above it: `wye.config.mjs`, whose default export it is, or `wye.config.json`. */
export async function findConfig(folder: string, host: Pick<Host, "leaveBehind">): Promise<CheckConfig> {
  const path = configPaths(folder).find((one) => existsSync(one));
  return path === undefined ? {} : checked(await load(path, host), path);
}

/** Where the configuration of a folder may be, the one that holds before others. */
export function configPaths(folder: string): readonly string[] {
  const own = names.map((name) => join(folder, name));
  const above = dirname(folder);
  return above === folder ? own : [...own, ...configPaths(above)];
}

/** Far longer than a module takes that only asks for rules. */
const longestLoadMs = 30_000;

async function load(path: string, { leaveBehind }: Pick<Host, "leaveBehind">): Promise<unknown> {
  try {
    if (path.endsWith(".json")) return JSON.parse(await readText(path));
    // A module is loaded once for each address, and may have been changed since.
    const { href } = pathToFileURL(path);
    const { mtimeMs } = await stat(path);
    const loading: Promise<{ readonly default?: unknown }> = import(`${href}?${mtimeMs}`);
    const module = await inTime(loading);
    if (module !== undefined) return module.default;
    // Whoever it waits for would keep the program, too.
    leaveBehind?.();
    throw new Error(`what it awaits has not come within ${longestLoadMs / 1000} seconds`);
  } catch (error) {
    throw new UsageError(`${path} cannot be loaded: ${messageOf(error)}`);
  }
}

/** What is loaded; nothing when that takes too long. */
async function inTime<Loaded>(loading: Promise<Loaded>): Promise<Loaded | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, longestLoadMs, undefined);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function checked(config: unknown, path: string): CheckConfig {
  if (!isObject(config)) throw new UsageError(`${path}: a configuration is an object with profile and rules`);
  for (const name of Object.keys(config)) {
    if (settings.includes(name) || ignored.includes(name)) continue;
    const near = didYouMean(name, settings);
    throw new UsageError(
      `${path}: there is no setting ${JSON.stringify(name)}${near ? `; did you mean ${near}?` : ": profile, rules"}`,
    );
  }
  const { profile, rules } = config;
  if (profile !== undefined && profile !== "kfp" && profile !== "spec") {
    throw new UsageError(`${path}: the profile is "kfp" or "spec"`);
  }
  if (rules !== undefined && (typeof rules !== "object" || rules === null))
    throw new UsageError(`${path}: rules are an object, or a list`);
  try {
    // There is nothing to be found in no text: all that can be wrong are the rules, which are whatever somebody wrote.
    if (rules !== undefined) validatePipeline("", { rules: rules as RuleOptions });
  } catch (error) {
    throw new UsageError(`${path}: ${messageOf(error)}`);
  }
  return config;
}
