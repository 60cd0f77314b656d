import { createClient, createCluster, createSentinel, type RedisClientOptions } from "@redis/client";
import { messageOf } from "@wye/relay";
import { askForCredentials } from "./ask-for-credentials.js";
import { pauseBefore } from "./pause-before.js";
import type { RedisCommandWords } from "./redis-command.js";
import type { RedisAddress, RedisOptions, RedisSentinelOptions } from "./redis-options.js";
import { type RedisServerAddress, serverFromUrl } from "./server-from-url.js";

/** What the three kinds of clients have in common: a server, a cluster, servers with sentinels. */
export interface RedisClient {
  /** Tries until there is a connection; rejects only when there is nobody left to ask. */
  connect(): Promise<unknown>;
  send(key: string, command: RedisCommandWords): Promise<unknown>;
  /** Ends at once, whatever is under way. */
  destroy(): void;
}

/** A server that says nothing for this long, not even to a ping, is gone: half-open connections look like that. */
const silenceMs = 30_000;
const pingMs = 10_000;

/** Makes the client that the options ask for. */
export function createRedisClient(
  options: RedisOptions,
  connectTimeoutMs: number,
  report: (error: Error) => void,
): RedisClient {
  // The client for sentinels also tells of texts.
  const tell = (error: unknown) => report(error instanceof Error ? error : new Error(messageOf(error)));
  const server = serverFromUrl(options.url ?? "redis://localhost:6379");
  const settings = clientSettings(options, server, connectTimeoutMs);
  if (options.cluster !== undefined) return clusterClient(options.cluster, settings, tell);
  if (options.sentinel !== undefined) return sentinelClient(options.sentinel, settings, tell);
  return singleClient(server, settings, tell);
}

type Settings = ReturnType<typeof clientSettings>;
type Tell = (error: unknown) => void;

function clusterClient(nodes: readonly RedisAddress[], settings: Settings, tell: Tell): RedisClient {
  const client = createCluster({
    rootNodes: nodes.map(({ host, port }) => ({ ...settings, socket: { ...settings.socket, host, port } })),
    defaults: settings,
  });
  client.on("error", tell);
  return endable({
    connect: () => client.connect(),
    send: (key, command) => client.sendCommand(key, false, command),
    destroy: () => client.destroy(),
  });
}

function sentinelClient(
  { name, nodes, credentials }: RedisSentinelOptions,
  settings: Settings,
  tell: Tell,
): RedisClient {
  const client = createSentinel({
    name,
    sentinelRootNodes: [...nodes],
    nodeClientOptions: settings,
    sentinelClientOptions: { ...credentials, socket: settings.socket },
    passthroughClientErrorEvents: true,
    scanInterval: 1000,
  });
  client.on("error", tell);
  return endable({
    connect: () => client.connect(),
    send: (_key, command) => client.sendCommand(false, command),
    destroy: () => client.destroy(),
  });
}

function singleClient(
  { host = "localhost", port = 6379, database }: Partial<RedisServerAddress> = {},
  settings: Settings,
  tell: Tell,
): RedisClient {
  const numbered = database === undefined ? {} : { database };
  const client = createClient({ ...settings, ...numbered, socket: { ...settings.socket, host, port } });
  client.on("error", tell);
  const single = endable({
    connect: () => client.connect(),
    send: (_key, command) => client.sendCommand(command),
    destroy: () => client.destroy(),
  });
  client.on("connect", single.look);
  return single;
}

/**
 * A client that is destroyed while it connects goes on connecting: it is destroyed once more when it has come further, which
 * `look` is told of, or is through.
 */
function endable({
  connect,
  send,
  destroy,
}: Omit<RedisClient, "destroy"> & { destroy(): unknown }): RedisClient & { look(): void } {
  let ended = false;
  const look = () => {
    if (ended) void (async () => destroy())().catch(() => {});
  };
  return {
    async connect() {
      try {
        return await connect();
      } finally {
        look();
      }
    },
    send,
    destroy() {
      ended = true;
      look();
    },
    look,
  };
}

function clientSettings(
  options: RedisOptions,
  server: RedisServerAddress | undefined,
  connectTimeoutMs: number,
) {
  const { username = server?.username, password = server?.password, credentials } = options;
  const tls = options.tls ?? (server?.tls === true ? {} : undefined);
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(credentials === undefined
      ? {}
      : {
          credentialsProvider: {
            type: "async-credentials-provider" as const,
            credentials: () => askForCredentials(credentials, connectTimeoutMs),
          },
        }),
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: silenceMs,
      reconnectStrategy: (attempt) => pauseBefore(attempt, Math.random()),
      ...(tls === undefined ? {} : { ...tls, tls: true as const }),
    },
    pingInterval: pingMs,
    // While the connection is lost commands fail at once; the relay makes up for them later.
    disableOfflineQueue: true,
    // Each new context asks twice about its members and gives up after a second: this many only gather while a server hangs, and
    // take some megabytes.
    commandsQueueMaxLength: 50_000,
  } satisfies RedisClientOptions;
}
