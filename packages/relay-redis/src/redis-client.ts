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

/** What a client tells of itself. */
export interface ClientListener {
  /** Something has failed, and the client goes on unless it is also `lost`. */
  failed(error: Error): void;
  /** It tries once more to connect to the only server. Clients of several servers do not tell. */
  trying(): void;
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

const pauseAfter = (attempt: number) => pauseBefore(attempt, Math.random());

/** Makes the client that the options ask for. */
export function createRedisClient(
  options: RedisOptions,
  connectTimeoutMs: number,
  listener: ClientListener,
): RedisClient {
  const server = serverFromUrl(options.url ?? "redis://localhost:6379");
  const settings = clientSettings(options, server, connectTimeoutMs);
  const ofSeveral = { ...settings, socket: { ...settings.socket, socketTimeout: silenceMs } };
  if (options.cluster !== undefined) return clusterClient(options.cluster, ofSeveral, listener);
  if (options.sentinel !== undefined) return sentinelClient(options.sentinel, ofSeveral, listener);
  return singleClient(server, settings, listener);
}

type Settings = ReturnType<typeof clientSettings>;

function clusterClient(
  nodes: readonly RedisAddress[],
  settings: Settings,
  { failed, lost }: ClientListener,
): RedisClient {
  const client = createCluster({
    rootNodes: nodes.map(({ host, port }) => ({ ...settings, socket: { ...settings.socket, host, port } })),
    // A node that is away would keep the client from all others, and from hearing which one has taken its place.
    minimizeConnections: true,
    defaults: { ...settings, socket: { ...settings.socket, reconnectStrategy: false } },
  });
  client.on("error", failed);
  client.on("node-error", (error: Error) => {
    failed(error);
    lost(error);
  });
  return endable({
    connect: () => client.connect(),
    send: (key, command) => client.sendCommand(key, false, command),
    destroy: () => client.destroy(),
  });
}

function sentinelClient(
  { name, nodes, credentials }: RedisSentinelOptions,
  settings: Settings,
  { failed }: ClientListener,
): RedisClient {
  const client = createSentinel({
    name,
    sentinelRootNodes: [...nodes],
    nodeClientOptions: settings,
    sentinelClientOptions: {
      ...credentials,
      pingInterval: sentinels.pingMs,
      socket: { ...settings.socket, socketTimeout: sentinels.silenceMs },
    },
    passthroughClientErrorEvents: true,
    scanInterval: sentinels.scanMs,
  });
  // It also tells of texts.
  client.on("error", (error: unknown) =>
    failed(error instanceof Error ? error : new Error(messageOf(error))),
  );
  return endable({
    connect: () => client.connect(),
    send: (_key, command) => client.sendCommand(false, command),
    destroy: () => client.destroy(),
  });
}

function singleClient(
  { host = "localhost", port = 6379, database }: Partial<RedisServerAddress> = {},
  settings: Settings,
  { failed, trying, lost }: ClientListener,
): RedisClient {
  let wasReady = false;
  const client = createClient({
    ...settings,
    ...(database === undefined ? {} : { database }),
    socket: {
      ...settings.socket,
      host,
      port,
      // The client would wait for a greeting without end. Whoever needs the connection does not, and makes another one.
      reconnectStrategy: (attempt) => (wasReady ? false : pauseAfter(attempt)),
    },
  });
  client.on("error", failed);
  client.on("reconnecting", trying);
  client.on("ready", () => {
    wasReady = true;
  });
  // Those who wait for replies are told first.
  client.on("terminated", (reason: unknown) => queueMicrotask(() => lost(reason)));
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
      reconnectStrategy: pauseAfter,
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
