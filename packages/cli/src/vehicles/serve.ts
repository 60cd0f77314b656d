import { once } from "node:events";
import { createServer } from "node:http";
import { resolve } from "node:path";
import {
  answerMalformedRequest,
  createTokenBucket,
  createVehicleRouter,
  type LoadReport,
  watchCatalogueFile,
} from "@wye/vehicle-catalogue/server";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { messageOf } from "../message-of.js";
import { printable } from "../printable.js";
import { orUsageError, refuseNoneRight } from "./catalogue-file.js";
import { readCorrections, staleHint } from "./corrections.js";
import { type LastLine, readKeys } from "./keys.js";
import { isRegularFile } from "./regular-file.js";
import { watchKeys } from "./watch-keys.js";

/** The options of `wye vehicles serve`. */
export interface ServeVehiclesOptions {
  readonly corrections?: string;
  readonly keys?: string;
  readonly port: number;
  readonly host?: string;
  readonly prefix?: string;
  readonly rateLimit?: number;
  readonly additions?: boolean;
  readonly json?: boolean;
}

const endMs = 5000;

/** Serves a file until the program is asked to end. */
export async function serveVehicles(
  file: string,
  options: ServeVehiclesOptions,
  host: Host,
): Promise<ExitCode> {
  const lastLine: LastLine = { hasEnded: false };
  const keys = await readKeys(options.keys, host, lastLine);
  const how = await readCorrections(options.corrections, host);
  const write = (message: string) => host.err.write(`${printable(message)}\n`);
  const logger = { debug() {}, info: write, warn: write, error: write };
  host.outliveOutput?.();
  // Asked for at once: what is opened from here on is to be closed.
  const { interrupted } = host;
  const tellStale = (report: LoadReport): void => {
    const hint = staleHint(report);
    if (hint !== undefined) write(hint);
  };
  const watching = { ...how, logger, onReload: tellStale };
  const watched = await orUsageError(() => watchCatalogueFile(resolve(host.cwd, file), watching));
  const { prefix, rateLimit, additions, port, host: address } = options;
  const { report } = watched.catalogue;
  const read = () => readKeys(options.keys, host, lastLine);
  const follows = options.keys !== undefined && (await isRegularFile(resolve(host.cwd, options.keys)));
  const watchedKeys = follows ? watchKeys(keys, { read, tell: write }) : undefined;
  try {
    refuseNoneRight(file, report);
    const router = await orUsageError(async () =>
      createVehicleRouter({
        catalogue: watched.catalogue,
        keys: watchedKeys?.lookup ?? keys,
        logger,
        ...(prefix === undefined ? {} : { prefix }),
        ...(rateLimit === undefined ? {} : { rateLimit: createTokenBucket({ perMinute: rateLimit }) }),
        ...(additions ? { additions: { attributeFilters: true, sort: true, updatedSince: true } } : {}),
      }),
    );
    const server = createServer({ maxHeaderSize: 32_768 }, (req, res) => router.node(req, res));
    server.on("clientError", answerMalformedRequest);
    server.listen(port, address);
    try {
      await once(server, "listening");
    } catch (error) {
      write(`wye: cannot listen on port ${port}: ${messageOf(error)}`);
      return 1;
    }
    const bound = server.address();
    const chosen = typeof bound === "object" && bound !== null ? bound.port : port;
    const wrong = report.problems.length + report.omitted.problems;
    if (wrong > 0)
      write(
        `${wrong} problem${wrong === 1 ? "" : "s"} with records of ${file}: \`wye vehicles check\` tells them`,
      );
    tellStale(report);
    if (options.json)
      host.out.write(`${JSON.stringify(listening(file, options, { port: chosen, report }))}\n`);
    else
      write(
        `${report.loaded} vehicles of ${file} on port ${chosen}; the API is described at ${prefix ?? ""}/v2/openapi.json`,
      );
    if (!interrupted.aborted) await once(interrupted, "abort");
    const closed = once(server, "close");
    server.close();
    server.closeIdleConnections();
    // Who reads slowly has this long.
    const timer = setTimeout(() => server.closeAllConnections(), endMs);
    await closed;
    clearTimeout(timer);
    return 0;
  } finally {
    watched.close();
    watchedKeys?.close();
  }
}

/** What a program that has started this one needs to know once it listens. */
export function listening(
  file: string,
  { host = "localhost", prefix = "" }: ServeVehiclesOptions,
  { port, report }: { readonly port: number; readonly report: LoadReport },
) {
  const name = everywhere.has(host) ? "localhost" : host;
  const url = `http://${name.includes(":") ? `[${name}]` : name}:${port}${prefix}`;
  const { loaded: vehicles, problems, repairs, staleCorrections = [], omitted } = report;
  return {
    port,
    url,
    description: `${url}/v2/openapi.json`,
    file,
    vehicles,
    problems: problems.length + omitted.problems,
    repairs: repairs.length + omitted.repairs,
    staleCorrections: staleCorrections.length + omitted.staleCorrections,
  };
}

/** Whoever listens on all interfaces is also found by the name of this machine. */
const everywhere: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
