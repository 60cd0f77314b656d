import { setMaxListeners } from "node:events";
import { createClient, createCluster, createSentinel, type RedisClientOptions } from "@redis/client";
import { messageOf } from "@wye/relay";
import { askForCredentials } from "./ask-for-credentials.js";
import type { RedisCommandWords } from "./redis-command.js";
import type { RedisAddress, RedisOptions, RedisSentinelOptions } from "./redis-options.js";
import { type RedisServerAddress, serverFromUrl } from "./server-from-url.js";

/** What the three kinds of clients have in common: a server, a cluster, servers with sentinels. */
export interface RedisClient {
  /** Tries once to connect, of several servers to one after the other. */
  connect(): Promise<unknown>;
  send(key: string, command: RedisCommandWords): Promise<unknown>;
  /** Ends at once, whatever is under way: nothing is left that keeps the process alive. */
  destroy(): void;
}

/** What a client tells of itself. */
export interface ClientListener {
  /** Something has failed, and the client goes on unless it is also `lost`. */
  failed(error: Error): void;
  /** One of several servers is lost that had been reached. */
  broken(): void;
  /** A connection of the client is lost and not made anew: only another client can reach everything. */
  lost(reason: unknown): void;
}

/**
 * One of several servers that says nothing for this long, be it to a greeting or to a ping, is gone: the client goes on to the next one.
 * For an only server it is up to those who wait for it.
 */
const silenceMs = 15_000;
const pingMs = 5_000;

/**
 * Sentinels are asked one after the other, and commands wait meanwhile: one that hangs is not to take as long as they have. What
 * sentinels announce is heard at once; asking them all again and again must end before it begins anew, or it never does.
 */
const sentinels = { silenceMs: 4000, pingMs: 1500, scanMs: 60_000 };

/** Makes the client that the options ask for. */
export function createRedisClient(
  options: RedisOptions,
  connectTimeoutMs: number,
  listener: ClientListener,
): RedisClient {
  // Clients do not reach every socket that they have made: not one that is still connecting, nor those of clients inside of them.
  const sockets = new AbortController();
  setMaxListeners(0, sockets.signal);
  const server = serverFromUrl(options.url ?? "redis://localhost:6379");
  const settings = clientSettings(options, server, connectTimeoutMs, sockets.signal);
  const client = clientFor(options, server, settings, listener);
  return {
    ...client,
    destroy() {
      client.destroy();
      sockets.abort();
    },
  };
}

type Settings = ReturnType<typeof clientSettings>;

function clientFor(
  { cluster, sentinel }: RedisOptions,
  server: RedisServerAddress | undefined,
  settings: Settings,
  listener: ClientListener,
): RedisClient {
  const ofSeveral = { ...settings, socket: { ...settings.socket, socketTimeout: silenceMs } };
  if (cluster !== undefined) return clusterClient(cluster, ofSeveral, listener);
  if (sentinel !== undefined) return sentinelClient(sentinel, ofSeveral, listener);
  return singleClient(server, settings, listener);
}

function clusterClient(
  nodes: readonly RedisAddress[],
  settings: Settings,
  { failed, broken, lost }: ClientListener,
): RedisClient {
  const reached = new Set<string>();
  const client = createCluster({
    rootNodes: nodes.map(({ host, port }) => ({ ...settings, socket: { ...settings.socket, host, port } })),
    // A node that is away would keep the client from all others, and from hearing which one has taken its place.
    minimizeConnections: true,
    commandOptions: settings.commandOptions,
    defaults: settings,
  });
  client.on("error", failed);
  client.on("node-ready", (node: RedisAddress) => reached.add(`${node.host}:${node.port}`));
  client.on("node-error", (error: Error, node: RedisAddress) => {
    failed(error);
    if (reached.delete(`${node.host}:${node.port}`)) broken();
    lost(error);
  });
  return {
    connect: () => client.connect(),
    send: (key, command) => client.sendCommand(key, false, command),
    destroy: () => client.destroy(),
  };
}

function sentinelClient(
  { name, nodes, credentials }: RedisSentinelOptions,
  settings: Settings,
  { failed, broken, lost }: ClientListener,
): RedisClient {
  let leaders = 0;
  const client = createSentinel({
    name,
    sentinelRootNodes: [...nodes],
    nodeClientOptions: settings,
    commandOptions: settings.commandOptions,
    sentinelClientOptions: {
      ...credentials,
      pingInterval: sentinels.pingMs,
      socket: { ...settings.socket, socketTimeout: sentinels.silenceMs },
    },
    passthroughClientErrorEvents: true,
    scanInterval: sentinels.scanMs,
    // Whoever needs a leader asks again. The pauses of the client itself cannot be ended.
    maxCommandRediscovers: 0,
  });
  // It also tells of texts.
  client.on("error", (error: unknown) =>
    failed(error instanceof Error ? error : new Error(messageOf(error))),
  );
  client.on("topology-change", ({ type }: { readonly type: string }) => {
    if (type === "MASTER_CHANGE" && leaders++ > 0) broken();
  });
  return {
    connect: () => client.connect(),
    async send(_key, command) {
      try {
        return await client.sendCommand(false, command);
      } catch (error) {
        if (client.getMasterNode() === undefined) lost(error);
        throw error;
      }
    },
    destroy: () => void client.destroy().catch(() => {}),
  };
}

function singleClient(
  { host = "localhost", port = 6379, database }: Partial<RedisServerAddress> = {},
  settings: Settings,
  { failed, lost }: ClientListener,
): RedisClient {
  const client = createClient({
    ...settings,
    ...(database === undefined ? {} : { database }),
    socket: { ...settings.socket, host, port },
  });
  client.on("error", failed);
  // Those who wait for replies are told first.
  client.on("terminated", (reason: unknown) => queueMicrotask(() => lost(reason)));
  return {
    connect: () => client.connect(),
    send: (_key, command) => client.sendCommand(command),
    destroy: () => client.destroy(),
  };
}

function clientSettings(
  options: RedisOptions,
  server: RedisServerAddress | undefined,
  connectTimeoutMs: number,
  signal: AbortSignal,
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
      // What is lost is made anew, and not sooner than somebody needs it.
      reconnectStrategy: false as const,
      signal,
      ...(tls === undefined ? {} : { ...tls, tls: true as const }),
    },
    pingInterval: pingMs,
    // While the connection is lost commands fail at once; the relay makes up for them later.
    disableOfflineQueue: true,
    // Each new context asks twice about its members and gives up after a second: this many only gather while a server hangs, and
    // take some megabytes.
    commandsQueueMaxLength: 50_000,
    // How long a command may wait depends on what is on its way before it, which the client does not know.
    commandOptions: { timeout: 0 },
  } satisfies RedisClientOptions;
}
