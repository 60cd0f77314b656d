import type { RequestListener } from "node:http";
import type { Relay } from "@wye/relay";
import type { Certificate } from "./certificates.js";
import type { Config } from "./config/config.js";
import { mostConnections } from "./connection-limit.js";
import { type Listener, type ListenerOptions, listen } from "./listener.js";
import type { Log } from "./log.js";
import { orStartError } from "./start-error.js";

/** What listens for SDKs. */
export interface Listeners {
  /** Where SDKs are served. */
  readonly port: number;
  /** New connections get this certificate. */
  renew(certificate: Certificate): void;
  /** Takes no more SDKs, and answers those that ask on open connections, within the time; the status is still told. */
  stop(withinMs: number): Promise<void>;
  close(): void;
}

/** What the command line says about listening. */
export interface ListenersOptions {
  readonly config: Config;
  readonly log: Log;
  /** With one TLS is spoken. */
  readonly certificate: Certificate | undefined;
  readonly port?: number;
  readonly host?: string;
}

/** Opens the listeners that are configured for operators: for the status and for Prometheus. */
export async function openOperatorListeners(
  answer: RequestListener,
  { config, log, host }: Pick<ListenersOptions, "config" | "log" | "host">,
): Promise<Pick<Listeners, "close">> {
  const opened: Listener[] = [];
  const close = () => {
    for (const one of opened) one.close();
  };
  const open = async (what: string, port: number, handler: RequestListener) => {
    const listener = await listenOn(port, handler, host);
    opened.push(listener);
    log.info(`${what} on port ${listener.port}`);
  };
  try {
    const { statusPort } = config.of("Wye");
    const { enabled, port } = config.of("Prometheus");
    if (statusPort !== undefined) await open("status", statusPort, answer);
    if (enabled)
      await orStartError("failed to start Prometheus listener", () =>
        open("metrics", port, metricsOnly(answer)),
      );
    return { close };
  } catch (error) {
    close();
    throw error;
  }
}

async function listenOn(
  port: number,
  handler: RequestListener,
  host: string | undefined,
  more: Pick<ListenerOptions, "tls" | "limit"> = {},
) {
  return orStartError(`Error starting http listener on port: ${port}`, () =>
    listen({ port, handler, ...(host === undefined ? {} : { host }), ...more }),
  );
}

/** Opens the listener for SDKs. */
export async function openListener(
  relay: Pick<Relay, "handler">,
  { config, log, certificate, port, host }: ListenersOptions,
): Promise<Listeners> {
  const { tlsMinVersion: minVersion, port: configured } = config.of("Main");
  const most = mostConnections();
  const listener = await listenOn(port ?? configured, (req, res) => relay.handler(req, res), host, {
    ...(certificate === undefined ? {} : { tls: { certificate, minVersion } }),
    limit: {
      most,
      reached: () =>
        log.warn(
          `there are ${most} connections, as many as the limit of open files allows: more are closed; raise it (ulimit -n)`,
        ),
    },
  });
  if (certificate !== undefined) log.info(`TLS enabled for server (minimum TLS version: ${minVersion})`);
  log.info(`listening on port ${listener.port}`);
  return listener;
}

/** Nothing but the metrics. */
function metricsOnly(answer: RequestListener): RequestListener {
  return (req, res) => {
    const [path] = (req.url ?? "/").split("?");
    if (path === "/metrics") answer(req, res);
    else {
      res.statusCode = 404;
      res.end();
    }
  };
}
