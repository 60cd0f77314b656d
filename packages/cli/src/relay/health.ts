import { request } from "node:http";
import { request as secureRequest } from "node:https";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import type { Config } from "./config/config.js";

const timeoutMs = 4000;

/** What the command line says about where the relay listens. */
export interface HealthOptions {
  readonly port?: number;
  readonly host?: string;
}

/** Asks the relay that runs with this configuration on this machine whether it lives; ends with 1 when it does not. */
export async function askHealth(
  config: Config,
  { port, host = "127.0.0.1" }: HealthOptions,
  { out, err }: Host,
): Promise<ExitCode> {
  const { port: main, tlsEnabled } = config.of("Main");
  const { statusPort } = config.of("Wye");
  const place = { host: everywhere.get(host) ?? host, port: statusPort ?? port ?? main };
  const answer = await ask(place, tlsEnabled && statusPort === undefined);
  if (answer === 200) {
    out.write("live\n");
    return 0;
  }
  err.write(`wye: no relay lives on port ${place.port}: ${answer}\n`);
  return 1;
}

/** Whoever listens on all interfaces is found on that of this machine. */
const everywhere: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/** The status of an answer, or why there is none. */
function ask(
  place: { readonly host: string; readonly port: number },
  secure: boolean,
): Promise<number | string> {
  return new Promise((resolve) => {
    const options = { ...place, path: "/live", agent: false, timeout: timeoutMs };
    // Whose certificate it is does not matter here: it is this machine that is asked.
    const asked = secure ? secureRequest({ ...options, rejectUnauthorized: false }) : request(options);
    asked.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on("timeout", () => asked.destroy(new Error("no answer in time")));
    asked.on("error", (error) => resolve(error.message));
    asked.end();
  });
}
