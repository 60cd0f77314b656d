import { fork } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** What became of a server. */
export interface Served {
  /** The status with which it answered, or undefined when it ended before. */
  readonly answered: number | undefined;
  /** The status with which it ended. */
  readonly status: number | null;
  readonly stderr: string;
}

/** Starts a program that listens on the port of its environment, asks it for a path, and ends it with SIGTERM. */
export async function serve(program: string, path: string): Promise<Served> {
  const server = fork(program, {
    cwd: dirname(program),
    env: { ...process.env, PORT: "0" },
    execArgv: ["--import", fileURLToPath(new URL("tell-port.mjs", import.meta.url))],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let stderr = "";
  server.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(server, "close");
  const [port] = await Promise.race([once(server, "message"), ended]);
  const answered = server.connected ? (await fetch(`http://127.0.0.1:${port}${path}`)).status : undefined;
  server.kill("SIGTERM");
  await ended;
  return { answered, status: server.exitCode, stderr };
}
