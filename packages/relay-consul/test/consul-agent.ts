import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** The program itself, with nothing in it. */
export interface ConsulAgent {
  readonly address: string;
  /** Halts or continues it: connections stay open and nobody answers. */
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  stop(): Promise<void>;
}

/** Starts an agent that is its own cluster and forgets everything at the end, and waits until it leads. */
export async function startConsulAgent(program: string, settings: object = {}): Promise<ConsulAgent> {
  const [http, server, lan, wan] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const ports = { http, server, serf_lan: lan, serf_wan: wan, grpc: -1, grpc_tls: -1, dns: -1 };
  const configuration = JSON.stringify({ ports, ...settings });
  const child = spawn(
    program,
    ["-dev", "-bind", "127.0.0.1", "-client", "127.0.0.1", "-log-level", "error", "-hcl", configuration],
    { stdio: "ignore" },
  );
  const address = `http://127.0.0.1:${http}`;
  await leads(address, child);
  return {
    address,
    signal: (name) => void child.kill(name),
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function leads(address: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`Consul ended with ${child.exitCode}`);
    try {
      const leader = await (await fetch(`${address}/v1/status/leader`)).text();
      if (leader.includes(":")) return;
    } catch {
      // Not yet listening.
    }
    await pause(100);
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  probe.close();
  await once(probe, "close");
  return address.port;
}
