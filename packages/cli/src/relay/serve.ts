import { createRelay } from "@wye/relay";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { messageOf } from "../message-of.js";
import { version } from "../version.js";
import type { ConfigSources, LoadedConfig } from "./config/load-config.js";
import { storesFrom } from "./databases.js";
import { devHints, devKeys } from "./dev.js";
import { type Listeners, openListeners } from "./listeners.js";
import { createLog, type Log, logRules } from "./log.js";
import { createOutbound, type Outbound } from "./outbound.js";
import { lineOf } from "./problem-lines.js";
import { relayOptionsFrom } from "./relay-options.js";
import { type Running, reload } from "./reload.js";
import { createReloadRequests, type ReloadRequests } from "./reload-requests.js";
import { orStartError, StartError } from "./start-error.js";

/** What is served, and where. */
export interface ServeRequest {
  readonly loaded: LoadedConfig;
  /** What the configuration is read from again. */
  readonly sources: ConfigSources;
  /** Whether flags come from a file of a developer. */
  readonly isDev: boolean;
  /** Another port than the configured one; 0 takes any. */
  readonly port?: number;
  /** One interface only. */
  readonly address?: string;
  readonly host: Host;
}

/** Serves until the program is asked to end; then lets streams and events go within their time. */
export async function serve(request: ServeRequest): Promise<ExitCode> {
  const { loaded, host } = request;
  const reloads = createReloadRequests(host);
  const log = createLog(host, logRules(loaded.config), () => new Date());
  log.info(`Starting wye relay version ${version()} with ${loaded.description}`);
  for (const warning of loaded.warnings) log.warn(lineOf(warning));
  let started: Started | undefined;
  try {
    started = await start(request, log);
    return loaded.config.of("Main").exitAlways
      ? await runOnce(started)
      : await run(request, started, reloads);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    log.error(error.message);
    return 1;
  } finally {
    reloads.stop();
    await started?.relay.close({ within: 0 });
    await started?.outbound.close();
  }
}

interface Started extends Running {
  readonly outbound: Outbound;
}

async function start({ loaded, sources, isDev, host }: ServeRequest, log: Log): Promise<Started> {
  const { config } = loaded;
  const { cwd, env } = host;
  return orStartError("Unable to create relay", async () => {
    const outbound = await createOutbound(config, cwd, env);
    if (outbound.description !== undefined) log.info(outbound.description);
    const running = { config };
    const stores = await storesFrom(config, cwd, () => running.config);
    const { dispatcher } = outbound;
    const relay = createRelay(
      relayOptionsFrom(config, {
        cwd,
        stores,
        logger: log,
        ...(dispatcher === undefined ? {} : { dispatcher }),
        ...(isDev ? { keys: devKeys } : {}),
      }),
    );
    return Object.assign(running, { relay, stores, log, host, sources, isDev, outbound });
  });
}

async function run(
  { isDev, port, address, host }: ServeRequest,
  started: Started,
  reloads: ReloadRequests,
): Promise<ExitCode> {
  const { relay, log, config } = started;
  const listeners = await openListeners({
    config,
    relay,
    log,
    cwd: host.cwd,
    ...(port === undefined ? {} : { port }),
    ...(address === undefined ? {} : { host: address }),
  });
  if (isDev) for (const hint of devHints(listeners.port)) log.info(hint);
  reloads.answerWith(() => reloadAll(started, listeners));
  try {
    await aborted(host.interrupted);
    const within = started.config.of("Wye").drainTimeout;
    log.info("asked to end: no more connections, streams end, events that wait are sent");
    listeners.stop();
    await relay.close({ within: Math.max(within, 0) });
    log.info("ended");
    return 0;
  } finally {
    listeners.close();
  }
}

async function reloadAll(running: Running, listeners: Listeners): Promise<void> {
  await listeners.renew();
  try {
    await reload(running);
  } catch (error) {
    running.log.error(`the configuration cannot be applied: ${messageOf(error)}`);
  }
}

/** Waits until every environment has data or has failed, for programs that only fill a database. */
async function runOnce({ relay, log, config }: Started): Promise<ExitCode> {
  const { environments, configurationStatus } = await relay.ready();
  const states = [configurationStatus, ...Object.values(environments).map((one) => one.connectionStatus)];
  const hasFailed = states.some((one) => one !== undefined && one.state !== "VALID");
  await relay.close({ within: Math.max(config.of("Wye").drainTimeout, 0) });
  if (!hasFailed) return 0;
  log.error("Unable to create relay: one or more environments failed to initialize");
  return 1;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
