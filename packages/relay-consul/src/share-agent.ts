import { setMaxListeners } from "node:events";
import { Agent, buildConnector, type Dispatcher } from "undici";

/** The use of connections by one store. */
export interface AgentLease {
  readonly dispatcher: Dispatcher;
  /** The last one that ends closes them. */
  end(): void;
}

/** Connections for several stores, made when they are needed; those of the host stay the host's. */
export function shareAgent(ofHost: Dispatcher | undefined): () => AgentLease {
  if (ofHost !== undefined) return () => ({ dispatcher: ofHost, end() {} });
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
  // An agent reaches neither a socket that is still connecting nor clients that it has let go of.
  const sockets = new AbortController();
  const { signal } = sockets;
  setMaxListeners(0, signal);
  // Where to, each call says.
  const connect = buildConnector({ signal, port: 0 });
  const agent = new Agent({
    connect(options, callback) {
      // A signal that is aborted beforehand stops no socket.
      if (signal.aborted)
        // Stryker disable next-line ArrowFunction,StringLiteral: only clients that the agent has let go of come here, and nobody waits for them
        queueMicrotask(() => callback(new Error("the connection to Consul is closed"), null));
      else connect(options, callback);
    },
  });
  return {
    agent,
    end() {
      sockets.abort();
      void agent.destroy().catch(() => {});
    },
  };
}
