import { createClient, createCluster, createSentinel, type RedisClientOptions } from "@redis/client";
import type { RedisCommandWords } from "./redis-command.js";
import type { RedisOptions } from "./redis-options.js";

/** What the three kinds of clients have in common: a server, a cluster, servers with sentinels. */
export interface RedisClient {
  /** Tries until there is a connection; rejects only when there is nobody left to ask. */
  connect(): Promise<unknown>;
  send(key: string, command: RedisCommandWords): Promise<unknown>;
  /** Ends at once, whatever is under way. */
  destroy(): void;
}

const longestPauseMs = 5000;
/** A server that says nothing for this long, not even to a ping, is gone: half-open connections look like that. */
const silenceMs = 30_000;
const pingMs = 10_000;

/** Makes the client that the options ask for. */
export function createRedisClient(
  options: RedisOptions,
  connectTimeoutMs: number,
  report: (error: Error) => void,
): RedisClient {
  const settings = clientSettings(options, connectTimeoutMs);
  const { sentinel, cluster } = options;
  if (cluster !== undefined) {
    const client = createCluster({
      rootNodes: cluster.map(({ host, port }) => ({
        ...settings,
        socket: { ...settings.socket, host, port },
      })),
      defaults: settings,
    });
    client.on("error", report);
    return {
      connect: () => client.connect(),
      send: (key, command) => client.sendCommand(key, false, command),
      destroy: () => client.destroy(),
    };
  }
  if (sentinel !== undefined) {
    const client = createSentinel({
      name: sentinel.name,
      sentinelRootNodes: [...sentinel.nodes],
      nodeClientOptions: settings,
      sentinelClientOptions: { ...sentinel.credentials, socket: settings.socket },
      passthroughClientErrorEvents: true,
      scanInterval: 1000,
    });
    client.on("error", report);
    return {
      connect: () => client.connect(),
      send: (_key, command) => client.sendCommand(false, command),
      destroy: () => void client.destroy(),
    };
  }
  const client = createClient({ url: options.url ?? "redis://localhost:6379", ...settings });
  client.on("error", report);
  return {
    connect: () => client.connect(),
    send: (_key, command) => client.sendCommand(command),
    destroy: () => client.destroy(),
  };
}

function clientSettings({ username, password, credentials, tls }: RedisOptions, connectTimeoutMs: number) {
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(credentials === undefined
      ? {}
      : {
          credentialsProvider: {
            type: "async-credentials-provider" as const,
            credentials: async () => ({ ...(await credentials()) }),
          },
        }),
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: silenceMs,
      reconnectStrategy: pauseBefore,
      ...(tls === undefined ? {} : { ...tls, tls: true as const }),
    },
    pingInterval: pingMs,
    // While the connection is lost commands fail at once; the relay makes up for them later.
    disableOfflineQueue: true,
    // The relay asks for one thing at a time: more than this only gathers while a server hangs.
    commandsQueueMaxLength: 1000,
  } satisfies RedisClientOptions;
}

/** Grows to five seconds, with jitter: the relays of a fleet had better not all come at once. */
function pauseBefore(attempt: number): number {
  return Math.min(longestPauseMs, 50 * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2);
}
