import { type ConfigSources, inOrder, type LoadedConfig, loadConfig } from "./config/load-config.js";
import type { Log } from "./log.js";
import { lineOf } from "./problem-lines.js";
import { type Trial, tryConfig } from "./try-config.js";
import { unwritableFolder } from "./unwritable-folder.js";

/** Reads a configuration and tries it: what is wrong with the values, and what shows when they are used. */
export async function loadUsable(sources: ConfigSources, trial: Trial): Promise<LoadedConfig> {
  const loaded = await loadConfig(sources);
  const tried = await tryConfig(loaded.config, trial);
  const doubts = trial.isWorker ? [] : await unwritableFolder(loaded.config, trial.cwd);
  return {
    ...loaded,
    problems: inOrder([...loaded.problems, ...tried]),
    warnings: [...loaded.warnings, ...doubts],
  };
}

/** As `loadUsable`, for what runs already: of a wrong configuration the mistakes are in the log, and nothing is given. */
export async function readAgain(
  sources: ConfigSources,
  trial: Trial,
  log: Log,
): Promise<LoadedConfig | undefined> {
  const loaded = await loadUsable(sources, trial);
  if (loaded.problems.length === 0) return loaded;
  for (const problem of loaded.problems) log.error(lineOf(problem));
  log.error("the configuration stays as it was");
  return undefined;
}
