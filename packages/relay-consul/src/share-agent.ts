import { setMaxListeners } from "node:events";
import { Agent, type Dispatcher } from "undici";

/** The use of connections by one store. */
export interface AgentLease {
  readonly dispatcher: Dispatcher;
  /** The last one that ends closes them. */
  end(): void;
}

/** Connections for several stores, made when they are needed. */
export function shareAgent(): () => AgentLease {
  let current: ReturnType<typeof createAgent> | undefined;
  let leases = 0;
  return () => {
    leases++;
    current ??= createAgent();
    const { agent, end } = current;
    let ended = false;
    return {
      dispatcher: agent,
      end() {
        if (ended) return;
        ended = true;
        if (--leases > 0) return;
        current = undefined;
        end();
      },
    };
  };
}

function createAgent() {
  // An agent does not reach a socket that is still connecting.
  const sockets = new AbortController();
  const { signal } = sockets;
  setMaxListeners(0, signal);
  const agent = new Agent({ connect: { signal } });
  return {
    agent,
    end() {
      void agent.destroy().catch(() => {});
      sockets.abort();
    },
  };
}
