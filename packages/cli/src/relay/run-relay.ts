import { type ExitCode, UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { type ConfigSources, type LoadedConfig, loadConfig } from "./config/load-config.js";
import { printConfig, showConfig } from "./config/show-config.js";
import { devSettings } from "./dev.js";
import { askHealth } from "./health.js";
import { loadUsable } from "./load-usable.js";
import { lineOf, problemText } from "./problem-lines.js";
import type { ReloadRequests } from "./reload-requests.js";
import { serve } from "./serve.js";
import { sharedText } from "./workers/as-worker.js";
import { leaveCrew, type ThisWorker, thisWorker } from "./workers/worker-channel.js";

/** The options of `wye relay`. */
export interface RelayCommandOptions {
  readonly config?: string;
  readonly allowMissingFile?: boolean;
  readonly fromEnv?: boolean;
  readonly check?: boolean;
  readonly json?: boolean;
  readonly health?: boolean;
  readonly dev?: string;
  readonly port?: number;
  readonly workers?: number;
  readonly host?: string;
}

const usualFile = "/etc/ld-relay.conf";
const withoutUsualFile =
  "--config names another, --from-env takes variables, and --dev FILE relays the flags of a file without an account";

/** Relays until it is asked to end, or tells what it would do. */
export async function runRelay(
  options: RelayCommandOptions,
  host: Host,
  reloads: ReloadRequests,
): Promise<ExitCode> {
  // That of what is thrown.
  let code: ExitCode = 2;
  try {
    code = await runOrTell(options, host, reloads);
    return code;
  } finally {
    // Also where it never came to serve: the channel to the crew would keep the process.
    leaveCrew(code);
  }
}

async function runOrTell(
  options: RelayCommandOptions,
  host: Host,
  reloads: ReloadRequests,
): Promise<ExitCode> {
  if (options.json && !options.check && !options.health)
    throw new UsageError("--json needs --check or --health: a relay prints its log");
  const worker = thisWorker();
  const sources = { ...sourcesOf(options, host), ...sharedWith(worker) };
  if (options.health) return askHealth((await loadConfig(sources)).config, options, host);
  const { dev, port, host: address = dev === undefined ? undefined : "127.0.0.1" } = options;
  const { cwd, env } = host;
  const trial = { cwd, env, isDev: dev !== undefined, isWorker: worker !== undefined };
  const loaded = await loadUsable(sources, trial);
  if (options.check) return check(loaded, options, host);
  if (loaded.problems.length > 0) {
    host.err.write(problemText(loaded.problems));
    return 1;
  }
  return serve({
    worker,
    loaded,
    sources,
    trial,
    workers: options.workers ?? loaded.config.of("Wye").workers,
    ...(port === undefined ? {} : { port }),
    ...(address === undefined ? {} : { address }),
    host,
    reloads,
  });
}

/** The file of a worker is that of the others, whatever stands on the disk. */
function sharedWith(worker: ThisWorker | undefined): Pick<ConfigSources, "readText"> {
  return worker === undefined ? {} : { readText: () => sharedText(worker) };
}

function sourcesOf(
  { dev, config, fromEnv, allowMissingFile }: RelayCommandOptions,
  host: Host,
): ConfigSources {
  const { cwd, env } = host;
  if (dev !== undefined) {
    if (config !== undefined) throw new UsageError("--dev needs no configuration: leave out --config");
    return { cwd, settings: devSettings(dev), ...(fromEnv ? { variables: env } : {}) };
  }
  const file = config ?? (fromEnv ? undefined : usualFile);
  return {
    cwd,
    ...(file === undefined ? {} : { file }),
    ...(config === undefined ? { missingHint: withoutUsualFile } : {}),
    ...(allowMissingFile ? { allowMissingFile } : {}),
    ...(fromEnv ? { variables: env } : {}),
  };
}

function check(
  { config, problems, warnings }: LoadedConfig,
  { json }: RelayCommandOptions,
  { out, err }: Host,
): ExitCode {
  const values = problems.length > 0 ? [] : showConfig(config);
  if (json) {
    out.write(`${JSON.stringify({ ok: problems.length === 0, problems, warnings, values }, undefined, 2)}\n`);
  } else {
    err.write(warnings.map((one) => `warning: ${lineOf(one)}\n`).join(""));
    if (problems.length > 0) err.write(problemText(problems));
    else out.write(printConfig(values));
  }
  return problems.length > 0 ? 1 : 0;
}
