import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** What became of a server. */
export interface Served {
  /** The statuses with which it answered; none when it ended before. */
  readonly answered: readonly number[];
  /** The status with which it ended. */
  readonly status: number | null;
  readonly stderr: string;
}

/** What strangers leave behind: connections on which nothing is asked, or half of something. */
const leftOpen = ["", "GET / HTTP/1.1\r\nHo"];

/**
 * Starts a program that listens on the port of its environment, asks it for paths, and ends it with SIGTERM while there are connections
 * that nobody uses.
 */
export async function serve(program: string, paths: readonly string[]): Promise<Served> {
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
  const answered: number[] = [];
  if (server.connected) {
    for (const path of paths) answered.push((await fetch(`http://127.0.0.1:${port}${path}`)).status);
    for (const text of leftOpen) {
      const socket = connect(Number(port), "127.0.0.1").on("error", () => {});
      await once(socket, "connect");
      socket.write(text);
    }
    // The server takes connections in the order in which they came: these are in its hands.
    await fetch(`http://127.0.0.1:${port}${paths[0]}`, { headers: { connection: "close" } });
  }
  server.kill("SIGTERM");
  await ended;
  return { answered, status: server.exitCode, stderr };
}
