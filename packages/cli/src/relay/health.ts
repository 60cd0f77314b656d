import { request } from "node:http";
import { request as secureRequest } from "node:https";
import { text } from "node:stream/consumers";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { messageOf } from "../message-of.js";
import type { Config } from "./config/config.js";

const timeoutMs = 4000;

/** What the command line says about where the relay listens. */
export interface HealthOptions {
  readonly port?: number;
  readonly host?: string;
  /** Whether all that it says of itself is printed. */
  readonly json?: boolean;
}

/** Asks the relay that runs with this configuration on this machine whether it lives; ends with 1 when it does not. */
export async function askHealth(
  config: Config,
  { port, host = "127.0.0.1", json }: HealthOptions,
  { out, err }: Host,
): Promise<ExitCode> {
  const { port: main, tlsEnabled } = config.of("Main");
  const { statusPort } = config.of("Wye");
  const place = { host: everywhere.get(host) ?? host, port: statusPort ?? port ?? main };
  const secure = tlsEnabled && statusPort === undefined;
  const answer = await ask({ ...place, path: "/live" }, secure);
  const lives = answer.status === 200;
  if (json) {
    const told = lives ? await statusOf(place, secure) : { problem: answer.problem };
    out.write(`${JSON.stringify({ live: lives, port: place.port, ...told })}\n`);
  } else if (lives) out.write("live\n");
  else err.write(`wye: no relay lives on port ${place.port}: ${answer.problem}\n`);
  return lives ? 0 : 1;
}

/** The status of a relay that lives, or why it is not known. */
async function statusOf(
  place: Place,
  secure: boolean,
): Promise<{ readonly status: unknown } | { readonly problem: string }> {
  const { status, problem, body } = await ask({ ...place, path: "/status" }, secure);
  if (status !== 200) return { problem };
  try {
    return { status: JSON.parse(body) };
  } catch (error) {
    return { problem: `its status is no JSON: ${messageOf(error)}` };
  }
}

/** Whoever listens on all interfaces is found on that of this machine. */
const everywhere: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

interface Place {
  readonly host: string;
  readonly port: number;
}

/** What is answered, and what is wrong with an answer that is not 200, or where there is none. */
interface Answer {
  readonly status?: number;
  readonly problem: string;
  readonly body: string;
}

function ask(place: Place & { readonly path: string }, secure: boolean): Promise<Answer> {
  return new Promise((resolve) => {
    const options = { ...place, agent: false, timeout: timeoutMs };
    // Whose certificate it is does not matter here: it is this machine that is asked.
    const asked = secure ? secureRequest({ ...options, rejectUnauthorized: false }) : request(options);
    const fail = (error: Error) => resolve({ problem: error.message, body: "" });
    asked.on("response", (response) => {
      const { statusCode: status = 0 } = response;
      text(response).then((body) => resolve({ status, problem: String(status), body }), fail);
    });
    asked.on("timeout", () => asked.destroy(new Error("no answer in time")));
    asked.on("error", fail);
    asked.end();
  });
}
