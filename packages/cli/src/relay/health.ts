import { request } from "node:http";
import { request as secureRequest } from "node:https";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import type { Config } from "./config/config.js";

const timeoutMs = 4000;

/** Asks the relay that runs with this configuration on this machine whether it lives; ends with 1 when it does not. */
export async function askHealth(
  config: Config,
  port: number | undefined,
  { out, err }: Host,
): Promise<ExitCode> {
  const { port: main, tlsEnabled } = config.of("Main");
  const { statusPort } = config.of("Wye");
  const asked = statusPort ?? port ?? main;
  const answer = await ask(asked, tlsEnabled && statusPort === undefined);
  if (answer === 200) {
    out.write("live\n");
    return 0;
  }
  err.write(`wye: no relay lives on port ${asked}: ${answer}\n`);
  return 1;
}

/** The status of an answer, or why there is none. */
function ask(port: number, secure: boolean): Promise<number | string> {
  return new Promise((resolve) => {
    const options = { host: "127.0.0.1", port, path: "/live", agent: false, timeout: timeoutMs };
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
