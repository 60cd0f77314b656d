import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerProcess } from "./child.js";
import { envId, mobileKey, sdkKey } from "./keys.js";

/** A program that takes the configuration file of ld-relay, to be measured beside. It gets `--config FILE`. */
export const peerCommand: readonly string[] | undefined = process.env.WYE_PEER_RELAY?.split(" ");

/** Starts the peer for that upstream. What it takes is read from /proc, so it needs Linux. */
export async function startPeer(command: readonly string[], upstream: string): Promise<ServerProcess> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "wye-peer-"));
  const file = join(folder, "relay.conf");
  writeFileSync(file, configuration(port, upstream));
  const [program = "", ...args] = command;
  const child = spawn(program, [...args, "--config", file], { stdio: ["ignore", "ignore", "inherit"] });
  await healthy(port);
  const all = () => family(child.pid ?? 0);
  return {
    port,
    cpu: async () => all().reduce((sum, pid) => sum + cpuOf(pid), 0),
    memory: async () => all().reduce((sum, pid) => sum + memoryOf(pid), 0),
    act: async () => {},
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function configuration(port: number, upstream: string): string {
  return `[Main]
port = ${port}
baseUri = "${upstream}"
clientSideBaseUri = "${upstream}"
streamUri = "${upstream}"
logLevel = "error"
[Events]
eventsUri = "${upstream}"
sendEvents = "true"
[Environment "bench"]
sdkKey = "${sdkKey}"
mobileKey = "${mobileKey}"
envId = "${envId}"
`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function healthy(port: number): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/status`);
      const { status } = (await answer.json()) as { status: string };
      if (status === "healthy") return;
    } catch {
      // It does not listen yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("the peer has not become healthy within a minute");
}

/** A process and those that it has started. */
function family(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(family)];
}

/** In microseconds; the kernel counts in hundredths of a second. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function memoryOf(pid: number): number {
  const found = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1] ?? 0) * 1024;
}
