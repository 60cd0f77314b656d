import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** A server in a process of its own, so that its CPU time and memory can be told from those of its clients. */
export interface ServerProcess {
  readonly port: number;
  /** CPU time so far, user and system, in microseconds. */
  cpu(): Promise<number>;
  /** Resident memory after garbage collection, in bytes. */
  memory(): Promise<number>;
  /** Makes the server do what it is there for, where that does not begin with a request. */
  act(): Promise<void>;
  stop(): Promise<void>;
}

/** What a server process does; `act` is optional. */
export interface Served {
  readonly port: number;
  readonly act?: () => void;
}

const name = process.argv[2];

/** In a server process: runs the server with this name and never returns. In the main process: does nothing. */
export async function serveIfChild(servers: Readonly<Record<string, () => Promise<Served>>>): Promise<void> {
  if (name === undefined) return;
  const start = servers[name];
  // Going on as if this were the main process would start servers without end.
  if (start === undefined) throw new Error(`there is no server ${name}`);
  const { port, act } = await start();
  process.on("message", (message) => {
    if (message === "act") act?.();
    if (message === "memory") globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system, memory: process.memoryUsage.rss() });
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ port });
  await new Promise(() => {});
}

/** Starts the server with this name in a process of its own. */
export async function startServer(server: string): Promise<ServerProcess> {
  const child = fork(process.argv[1] ?? "", [server], { execArgv: ["--expose-gc"] });
  const { port } = (await answer(child)) as { port: number };
  const ask = async (what: string) => {
    child.send(what);
    return (await answer(child)) as { cpu: number; memory: number };
  };
  return {
    port,
    cpu: async () => (await ask("cpu")).cpu,
    memory: async () => (await ask("memory")).memory,
    act: async () => void (await ask("act")),
    stop: async () => {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

async function answer(child: ChildProcess): Promise<unknown> {
  return (await once(child, "message"))[0];
}
