import type { RequestListener } from "node:http";
import { resolve } from "node:path";
import type { Relay } from "@wye/relay";
import {
  type Certificate,
  type CertificateFiles,
  readCertificate,
  watchCertificate,
} from "./certificates.js";
import type { Config } from "./config/config.js";
import { type Listener, listen } from "./listener.js";
import type { Log } from "./log.js";
import { orStartError } from "./start-error.js";

/** Everything that listens for one relay. */
export interface Listeners {
  /** Where SDKs are served. */
  readonly port: number;
  /** Looks whether there is another certificate. */
  renew(): Promise<void>;
  /** Takes no more SDKs; the status is still told. */
  stop(): void;
  close(): void;
}

/** What the command line says about listening. */
export interface ListenersOptions {
  readonly config: Config;
  readonly relay: Relay;
  readonly log: Log;
  readonly cwd: string;
  readonly port?: number;
  readonly host?: string;
}

const certificateCheckMs = 10_000;

/** Opens the listeners that are configured: for SDKs, for the status, for Prometheus. */
export async function openListeners(options: ListenersOptions): Promise<Listeners> {
  const { config, relay, log } = options;
  const opened: Listener[] = [];
  const closeAll = () => {
    for (const one of opened) one.close();
  };
  try {
    const main = await openMain(options);
    opened.push(main.listener);
    const { statusPort } = config.of("Wye");
    const { enabled, port: metricsPort } = config.of("Prometheus");
    if (statusPort !== undefined)
      opened.push(await open("status", statusPort, (req, res) => relay.statusHandler(req, res), options));
    if (enabled) {
      const listener = await orStartError("failed to start Prometheus listener", () =>
        open("metrics", metricsPort, metricsOnly(relay), options),
      );
      opened.push(listener);
    }
    return {
      port: main.listener.port,
      renew: main.renew,
      stop: () => main.listener.stop(),
      close() {
        main.close();
        closeAll();
      },
    };
  } catch (error) {
    closeAll();
    throw error;
  }

  async function open(what: string, port: number, handler: RequestListener, { host }: ListenersOptions) {
    const listener = await listenOn(port, handler, host);
    log.info(`${what} on port ${listener.port}`);
    return listener;
  }
}

async function listenOn(
  port: number,
  handler: RequestListener,
  host: string | undefined,
  tls?: Parameters<typeof listen>[0]["tls"],
) {
  return orStartError(`Error starting http listener on port: ${port}`, () =>
    listen({
      port,
      handler,
      ...(host === undefined ? {} : { host }),
      ...(tls === undefined ? {} : { tls }),
    }),
  );
}

async function openMain({ config, relay, log, cwd, port, host }: ListenersOptions) {
  const files = certificateFiles(config, cwd);
  const { tlsMinVersion: minVersion, port: configured } = config.of("Main");
  const certificate =
    files === undefined ? undefined : await orStartError("TLS", () => readCertificate(files));
  const tls = certificate === undefined ? undefined : { certificate, minVersion };
  const listener = await listenOn(port ?? configured, (req, res) => relay.handler(req, res), host, tls);
  if (tls !== undefined) log.info(`TLS enabled for server (minimum TLS version: ${minVersion})`);
  log.info(`listening on port ${listener.port}`);
  const watch =
    files === undefined || certificate === undefined
      ? undefined
      : watchCertificate(files, {
          first: certificate,
          everyMs: certificateCheckMs,
          renewed(next: Certificate) {
            listener.renew(next);
            log.info("the certificate was read again: new connections get the new one");
          },
          failed: (message) => log.error(`the certificate stays as it was: ${message}`),
        });
  return { listener, renew: async () => watch?.look(), close: () => watch?.close() };
}

/** The files of the certificate, if the listener speaks TLS. */
export function certificateFiles(config: Config, cwd: string): CertificateFiles | undefined {
  const { tlsEnabled, tlsCert, tlsKey } = config.of("Main");
  if (!tlsEnabled || tlsCert === undefined || tlsKey === undefined) return undefined;
  return { cert: resolve(cwd, tlsCert), key: resolve(cwd, tlsKey) };
}

/** Nothing but the metrics. */
function metricsOnly(relay: Relay): RequestListener {
  return (req, res) => {
    const [path] = (req.url ?? "/").split("?");
    if (path === "/metrics") relay.statusHandler(req, res);
    else {
      res.statusCode = 404;
      res.end();
    }
  };
}
