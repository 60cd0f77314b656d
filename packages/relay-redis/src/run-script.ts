import { saidBy } from "@wye/relay";
import type { SendCommand } from "./redis-command.js";
import type { Script } from "./scripts.js";

/**
 * Runs a script where its first key is. It is called by its name, and sent in full only to a server that does not know it yet:
 * one that was started again, the new leader after a fail-over, another node of a cluster.
 */
export async function runScript(
  command: SendCommand,
  { text, sha1 }: Script,
  keys: readonly [string, ...string[]],
  values: readonly string[],
  signal: AbortSignal,
  replyBytes?: number,
): Promise<unknown> {
  const words = [String(keys.length), ...keys, ...values];
  const inFull = () => command(keys[0], ["EVAL", text, ...words], signal, replyBytes);
  // Beside large data the script is nothing, and they are not sent in vain.
  if (words.reduce((sum, { length }) => sum + length, 0) > 20 * text.length) return await inFull();
  try {
    return await command(keys[0], ["EVALSHA", sha1, ...words], signal, replyBytes);
  } catch (error) {
    // Hosts put errors of their own around those of Redis, or give only the text.
    if (!saidBy(error).includes("NOSCRIPT")) throw error;
    return await inFull();
  }
}
