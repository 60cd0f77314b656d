/**
 * Sends one command to the server that is responsible for a key, and gives its reply: lists as arrays, texts as strings.
 *
 * A client that the host has connected already is handed in as such a function, and stays the host's to close:
 * - `redis`, `@redis/client`: `(_key, command) => client.sendCommand(command)`
 * - their cluster: `(key, command) => cluster.sendCommand(key, false, command)`
 * - their sentinel: `(_key, command) => sentinel.sendCommand(false, command)`
 * - `ioredis`, its cluster too: `(_key, [name, ...rest]) => redis.call(name, ...rest)`
 *
 * When `signal` is aborted nobody waits for the reply any more; a command that was not sent by then had better not be.
 */
export type RedisCommand = (key: string, command: RedisCommandWords, signal: AbortSignal) => Promise<unknown>;

/** As the stores send it: with the size of a reply that is known to be large. */
export type SendCommand = (
  key: string,
  command: RedisCommandWords,
  signal: AbortSignal,
  replyBytes?: number,
) => Promise<unknown>;

/** The name of a command and what follows it. */
export type RedisCommandWords = [name: string, ...rest: string[]];
