import type { RedisCommand } from "./redis-command.js";
import type { Script } from "./scripts.js";

/**
 * Runs a script where its first key is. It is called by its name, and sent in full only to a server that does not know it yet:
 * one that was started again, the new leader after a fail-over, another node of a cluster.
 */
export async function runScript(
  command: RedisCommand,
  { text, sha1 }: Script,
  keys: readonly [string, ...string[]],
  values: readonly string[],
  signal: AbortSignal,
): Promise<unknown> {
  const words = [String(keys.length), ...keys, ...values];
  try {
    return await command(keys[0], ["EVALSHA", sha1, ...words], signal);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
    return await command(keys[0], ["EVAL", text, ...words], signal);
  }
}
