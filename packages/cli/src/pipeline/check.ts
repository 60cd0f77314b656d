import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { didYouMean, type Severity } from "@wye/pipeline-spec";
import {
  type OwnRule,
  type Profile,
  type RuleSettings,
  ruleCatalogue,
  validatePipeline,
} from "@wye/pipeline-validator";
import { type ExitCode, UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { printable } from "../printable.js";
import { type CheckedFile, type CheckFormat, checkPrinter } from "./check-printer.js";
import { type CheckConfig, configPaths, findConfig } from "./find-config.js";
import { type PipelineFile, readPipelineFile } from "./read-file.js";
import { watchFiles } from "./watch-files.js";

/** The options of `wye pipeline check`. */
export interface CheckOptions {
  readonly format: CheckFormat;
  readonly json?: boolean;
  readonly profile?: Profile;
  readonly rule: readonly string[];
  readonly maxProblems?: number;
  readonly quiet?: boolean;
  readonly watch?: boolean;
  readonly config: boolean;
}

/** Checks files, prints what is wrong with them, and tells whether there are errors. */
export async function checkPipelines(
  names: readonly string[],
  options: CheckOptions,
  host: Host,
): Promise<ExitCode> {
  if (options.watch && names.includes("-")) throw new UsageError("--watch cannot watch the standard input");
  // What is wrong with configurations, and with the options, is told before anything about a file.
  const load = async (): Promise<Loaded> => {
    const { files, unmatched } = await expand(names, host);
    return { files, unmatched, ...(await configsOf(files, options, host)) };
  };
  const checkAll = async ({ files, unmatched, configOf, unusable }: Loaded): Promise<ExitCode> => {
    const printer = checkPrinter(options.json ? "json" : options.format, host);
    const unread = [...unusable, ...unmatched.map((error) => tell(error, host))];
    let [isAny, ok] = [false, true];
    // One after the other: so many files as a pattern finds cannot all be open, nor in memory.
    for (const name of files) {
      const config = configOf(name);
      if (config === undefined) continue;
      const file = await readPipelineFile(name, host).catch((error) => tell(error, host));
      if (typeof file === "string") unread.push(file);
      else {
        const checked = check(file, config, options);
        printer.print(checked);
        isAny = true;
        ok &&= checked.report.ok;
      }
    }
    if (isAny) printer.end(unread);
    return unread.length > 0 ? 2 : ok ? 0 : 1;
  };
  let first: Loaded | undefined = await load();
  if (!options.watch) return checkAll(first);
  const anew = async (): Promise<ExitCode> => {
    const loaded = first ?? (await load());
    first = undefined;
    return checkAll(loaded);
  };
  const list = async (): Promise<readonly string[]> => {
    const { files } = await expand(names, host);
    const paths = files.map((name) => resolve(host.cwd, name));
    const configs = options.config ? [...new Set(paths.map(dirname))].flatMap(configPaths) : [];
    return [...paths, ...configs];
  };
  return watch(list, anew, host);
}

/** Everything that a check needs to know of before it reads the files. */
type Loaded = Expanded & Configs;

/** The configurations of the files. */
interface Configs {
  /** What holds for a file; nothing where that is a configuration that cannot be used. */
  readonly configOf: (name: string) => CheckConfig | undefined;
  /** What was told of those that cannot be used. */
  readonly unusable: readonly string[];
}

/** What holds for each file: the configuration nearest to it, and over that the options. That of the standard input is this folder's. */
async function configsOf(files: readonly string[], options: CheckOptions, host: Host): Promise<Configs> {
  const { cwd } = host;
  const folderOf = (name: string): string => dirname(resolve(cwd, name));
  const found = new Map<string, CheckConfig>();
  const unusable = new Map<string, UsageError>();
  for (const folder of new Set(files.map(folderOf))) {
    try {
      found.set(folder, options.config ? await findConfig(folder, host) : {});
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      // It may be that of other folders, too.
      unusable.set(error.message, error);
    }
  }
  for (const error of unusable.values()) tell(error, host);
  const builtIn = ruleCatalogue().flatMap(({ rules }) => rules.map(({ id }) => id));
  const own = [...found.values()].flatMap(ownRules);
  const settings = settingsOf(options.rule, [...builtIn, ...own]);
  const configOf = (name: string): CheckConfig | undefined => {
    const config = found.get(folderOf(name));
    if (config === undefined) return undefined;
    // A rule of one configuration is none where another one holds.
    const known = new Set([...builtIn, ...ownRules(config)]);
    const holding: RuleSettings = Object.fromEntries(settings.filter(([id]) => known.has(id)));
    const rules = [...asList(config.rules), holding];
    return { ...config, ...(options.profile ? { profile: options.profile } : {}), rules };
  };
  return { configOf, unusable: [...unusable.keys()] };
}

function check(file: PipelineFile, config: CheckConfig, { quiet, maxProblems }: CheckOptions): CheckedFile {
  const { profile = "kfp", rules = [] } = config;
  const limit = maxProblems === undefined ? {} : { maxProblems };
  const report = validatePipeline(file.bytes, { profile, rules, ...limit });
  const errors = { ...report, problems: report.problems.filter(({ severity }) => severity === "error") };
  return { name: file.name, source: new TextDecoder().decode(file.bytes), report: quiet ? errors : report };
}

/** What names stand for. */
interface Expanded {
  readonly files: readonly string[];
  /** One for each pattern that no file matches. */
  readonly unmatched: readonly UsageError[];
}

/** The files that names stand for: a pattern for those that match it, in order; the name of a file for itself. */
async function expand(names: readonly string[], { cwd }: Host): Promise<Expanded> {
  const found: string[] = [];
  const unmatched: UsageError[] = [];
  for (const name of names) {
    // A shell has expanded its own patterns: what is there is that file, whatever is in its name.
    if (name === "-" || existsSync(resolve(cwd, name))) found.push(name);
    else {
      const { matchingFiles } = await import("./matching-files.js");
      const matches = await matchingFiles(name, cwd);
      if (matches?.length === 0) unmatched.push(new UsageError(`no file matches ${printable(name)}`));
      found.push(...(matches ?? [name]));
    }
  }
  return { files: oncePerFile(found, cwd), unmatched };
}

/** Of several names of one file the first. */
function oncePerFile(names: readonly string[], cwd: string): readonly string[] {
  const byPath = new Map<string, string>();
  for (const name of names) {
    const path = name === "-" ? name : resolve(cwd, name);
    if (!byPath.has(path)) byPath.set(path, name);
  }
  return [...byPath.values()];
}

const severities: readonly (Severity | "off")[] = ["off", "info", "warning", "error"];

/** The ids of the rules that a configuration brings along. */
const ownRules = ({ rules }: CheckConfig): readonly string[] =>
  asList(rules).flatMap((rule) => ("check" in rule && typeof rule.id === "string" ? rule.id : []));

/** `--rule` options as settings; unknown rules are refused with what may have been meant. */
function settingsOf(
  texts: readonly string[],
  known: readonly string[],
): readonly (readonly [id: string, level: Severity | "off"])[] {
  return texts.map((text) => {
    const [id = "", ...others] = text.split("=");
    if (!known.includes(id)) {
      const near = didYouMean(id, known);
      const remedy = near
        ? `did you mean ${near}?`
        : "`wye pipeline explain` lists all; rules of your own come from the wye.config.mjs nearest to a file";
      throw new UsageError(`there is no rule ${JSON.stringify(id)}; ${remedy}`);
    }
    const level = severities.find((one) => one === others.join("="));
    if (level === undefined) throw new UsageError(`--rule ${text}: write ${id}=off, or info, warning, error`);
    return [id, level];
  });
}

function asList(rules: CheckConfig["rules"] = []): readonly (RuleSettings | OwnRule)[] {
  // `Array.isArray` does not see lists that cannot be changed.
  return Array.isArray(rules) ? rules : [rules as RuleSettings];
}

/** Checks whenever a file is changed, made or removed, until the user interrupts it. */
async function watch(
  list: () => Promise<readonly string[]>,
  checkAll: () => Promise<ExitCode>,
  host: Host,
): Promise<ExitCode> {
  let code: ExitCode = 0;
  await watchFiles({
    list,
    async work() {
      code = await again(checkAll, host);
    },
    begun: () => host.err.write("watching for changes; interrupt to end\n"),
    interrupted: host.interrupted,
  });
  return code;
}

/** A file that is being written is checked again when it has been. */
async function again(checkAll: () => Promise<ExitCode>, host: Host): Promise<ExitCode> {
  try {
    return await checkAll();
  } catch (error) {
    tell(error, host);
    return 2;
  }
}

/** Says what the user can do something about, and gives what was said; everything else goes on. */
function tell(error: unknown, { err }: Host): string {
  if (!(error instanceof UsageError)) throw error;
  err.write(`wye: ${error.message}\n`);
  return error.message;
}
