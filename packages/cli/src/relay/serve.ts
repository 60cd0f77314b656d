import { createRelay } from "@wye/relay";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { messageOf } from "../message-of.js";
import { version } from "../version.js";
import { aborted } from "./aborted.js";
import type { CertificateWatch } from "./certificates.js";
import type { Config } from "./config/config.js";
import type { ConfigSources, LoadedConfig } from "./config/load-config.js";
import {
  type Credentials,
  followCertificate,
  readCredentials,
  tellChangedAuthorities,
} from "./credentials.js";
import { storesFrom } from "./databases.js";
import { devHints, devKeys } from "./dev.js";
import { endWithin } from "./end-within.js";
import { fillOnce } from "./fill-once.js";
import { type Listeners, openListener, openOperatorListeners } from "./listeners.js";
import { readAgain } from "./load-usable.js";
import { createLog, type Log, logRules } from "./log.js";
import { openTelemetryFrom, type Telemetry } from "./open-telemetry.js";
import { createOutbound, type Outbound } from "./outbound.js";
import { lineOf } from "./problem-lines.js";
import { type RelayParts, relayOptionsFrom } from "./relay-options.js";
import { addAll, isManual, type Running, reload } from "./reload.js";
import { createReloadRequests, type ReloadRequests } from "./reload-requests.js";
import { orStartError, StartError } from "./start-error.js";
import type { Trial } from "./try-config.js";
import { hostOf, serveAsWorker, sharedCredentials, sharedText } from "./workers/as-worker.js";
import { createSharedAnnouncements, createSharedContents } from "./workers/shared-announcements.js";
import { createSharedSource } from "./workers/shared-source.js";
import { supervise } from "./workers/supervise.js";
import type { ThisWorker } from "./workers/worker-channel.js";

/** What is served, and where. */
export interface ServeRequest {
  readonly loaded: LoadedConfig;
  /** What the configuration is read from again. */
  readonly sources: ConfigSources;
  /** What it is tried with. */
  readonly trial: Trial;
  /** Another port than the configured one; 0 takes any. */
  readonly port?: number;
  /** One interface only. */
  readonly address?: string;
  /** How many processes serve. */
  readonly workers: number;
  /** Which of them this process is, if it was started as one. */
  readonly worker: ThisWorker | undefined;
  readonly host: Host;
  /** Requests to read the configuration again. */
  readonly reloads: ReloadRequests;
}

/** Serves until the program is asked to end; then lets streams and events go within their time. */
export async function serve(given: ServeRequest): Promise<ExitCode> {
  const { worker } = given;
  given.host.outliveOutput?.();
  // Asked for at once: what is opened from here on is to be closed.
  const { interrupted } = given.host;
  const host = worker === undefined ? { ...given.host, interrupted } : hostOf(worker, given.host);
  const request = { ...given, host };
  const { loaded } = request;
  // A worker is told by the supervisor, whatever signals it gets.
  const reloads = worker === undefined ? given.reloads : createReloadRequests(host);
  const log = createLog(host, logRules(loaded.config), () => new Date(), worker?.number);
  if (worker === undefined) {
    log.info(`Starting wye relay version ${version()} with ${loaded.description}`);
    for (const warning of loaded.warnings) log.warn(lineOf(warning));
  }
  let started: Started | undefined;
  try {
    const isOnce = loaded.config.of("Main").exitAlways;
    if (request.workers > 1 && !isOnce && worker === undefined) return await supervise(request, log, reloads);
    const present = worker === undefined ? undefined : await presentConfig(request, worker, log);
    started = await start(request, log, present);
    if (present !== undefined) await reload(started);
    return isOnce ? await fillOnce(started, host.interrupted) : await run(request, started, reloads);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    log.error(error.message);
    return 1;
  } finally {
    reloads.stop();
    await started?.relay.close({ within: 0 });
    await started?.outbound.close();
    await started?.telemetry?.close();
  }
}

interface Started extends Running {
  readonly credentials: Credentials;
  readonly outbound: Outbound;
  readonly telemetry: Telemetry | undefined;
}

async function start(
  { loaded, sources, trial, host, worker }: ServeRequest,
  log: Log,
  present: Config | undefined,
): Promise<Started> {
  const { config } = loaded;
  // Not from those of the start to those of now: what went on in between tells which keys have moved, and which have only been replaced.
  const isAddedTo = present !== undefined && isManual(config) && isManual(present);
  const { cwd, env } = host;
  const credentials = await (worker === undefined ? readCredentials(config, cwd) : sharedCredentials(worker));
  return orStartError("Unable to create relay", async () => {
    const outbound = await createOutbound(config, env, credentials.authorities);
    if (outbound.description !== undefined && worker === undefined) log.info(outbound.description);
    const running = { started: config, config: isAddedTo ? present : config, latest: config };
    const stores = {
      ...(await storesFrom(config, cwd, () => running.config, worker?.number)),
      ...(worker === undefined ? {} : { source: createSharedSource(worker) }),
    };
    const { dispatcher } = outbound;
    const context = { env, logger: log, worker: worker?.number, leaveBehind: host.leaveBehind };
    const telemetry = await openTelemetryFrom(config, context);
    const options = relayOptionsFrom(config, {
      cwd,
      stores,
      ...(worker === undefined ? {} : sharedWith(worker)),
      logger: log,
      dispatcher,
      ...(telemetry === undefined ? {} : { metrics: telemetry.metrics }),
      ...(trial.isDev ? { keys: devKeys } : {}),
    });
    const relay = createRelay({ ...options, ...(isAddedTo ? { environments: {} } : {}) });
    const parts = { relay, stores, log, sources, trial, credentials, outbound, telemetry };
    const begun = Object.assign(running, parts);
    if (isAddedTo) addAll(begun);
    return begun;
  });
}

/** What says which environments there are is heard by the process that has started the workers. */
function sharedWith(worker: ThisWorker): Pick<RelayParts, "announcements" | "contents"> {
  return { announcements: createSharedAnnouncements(worker), contents: createSharedContents(worker) };
}

/** What all workers were told last, if that is not what they have begun with. */
async function presentConfig(
  { loaded, sources, trial }: ServeRequest,
  worker: ThisWorker,
  log: Log,
): Promise<Config | undefined> {
  const text = await sharedText(worker);
  if (JSON.stringify(text) === JSON.stringify(loaded.text)) return undefined;
  return (await readAgain(sources, trial, log))?.config;
}

async function run(
  { trial, port, address, host, worker }: ServeRequest,
  started: Started,
  reloads: ReloadRequests,
): Promise<ExitCode> {
  const { relay, log, config } = started;
  const { certificate } = started.credentials;
  const options = {
    config,
    log,
    certificate,
    ...(port === undefined ? {} : { port }),
    ...(address === undefined ? {} : { host: address }),
  };
  const listeners = await openListener(relay, options);
  let operators: Pick<Listeners, "close"> | undefined;
  let watch: CertificateWatch | undefined;
  try {
    if (worker === undefined) {
      const followed = { config, cwd: host.cwd, first: certificate, log };
      watch = followCertificate(followed, (next) => listeners.renew(next));
      operators = await openOperatorListeners((req, res) => relay.statusHandler(req, res), options);
      if (trial.isDev) for (const hint of devHints(listeners.port)) log.info(hint);
    } else serveAsWorker(worker, relay, listeners);
    reloads.answerWith(async () => {
      await reloadAll(started, watch);
      // A worker has no files of its own.
      if (worker === undefined)
        await tellChangedAuthorities(started.credentials, { config, cwd: host.cwd, log });
    });
    await aborted(host.interrupted);
    const within = Math.max(started.latest.of("Wye").drainTimeout, 0);
    log.info("asked to end: no more connections, streams end, events that wait are sent");
    await endWithin(within, listeners, relay);
    log.info("ended");
    return 0;
  } finally {
    watch?.close();
    listeners.close();
    operators?.close();
  }
}

async function reloadAll(running: Running, watch: CertificateWatch | undefined): Promise<void> {
  await watch?.look();
  try {
    await reload(running);
  } catch (error) {
    running.log.error(`the configuration cannot be applied: ${messageOf(error)}`);
  }
}
