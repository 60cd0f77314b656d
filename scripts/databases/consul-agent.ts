import { freePort } from "./free-port.js";
import { type RunningProgram, runProgram } from "./run-program.js";

/** Consul itself, with nothing in it. */
export interface ConsulAgent extends RunningProgram {
  readonly port: number;
  readonly address: string;
}

/** Starts an agent that is its own cluster and forgets everything at the end, and waits until it leads. */
export async function startConsulAgent(program: string, settings: object = {}): Promise<ConsulAgent> {
  const [http, server, lan, wan] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const ports = { http, server, serf_lan: lan, serf_wan: wan, grpc: -1, grpc_tls: -1, dns: -1 };
  const configuration = JSON.stringify({ ports, ...settings });
  const address = `http://127.0.0.1:${http}`;
  const places = ["agent", "-dev", "-bind", "127.0.0.1", "-client", "127.0.0.1"];
  const running = await runProgram(
    program,
    [...places, "-log-level", "error", "-hcl", configuration],
    async () => (await (await fetch(`${address}/v1/status/leader`)).text()).includes(":"),
  );
  return { port: http, address, ...running };
}
