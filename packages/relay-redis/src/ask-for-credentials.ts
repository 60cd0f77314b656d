import { messageOf, orAborted, RelayError } from "@wye/relay";
import type { RedisCredentials } from "./redis-options.js";

/** Asks a function of the host, which may never answer, throw anything and give anything. */
export async function askForCredentials(
  ask: () => RedisCredentials | Promise<RedisCredentials>,
  limitMs: number,
): Promise<RedisCredentials> {
  const limit = AbortSignal.timeout(limitMs);
  const given = await orAborted(answerOf(ask), limit).catch((error: unknown) => {
    if (!limit.aborted) throw error;
    throw new RelayError("store_failed", `credentials has given nothing within ${limitMs} ms`);
  });
  const { username, password }: { readonly username?: unknown; readonly password?: unknown } = Object(given);
  const isText = (value: unknown) => value === undefined || typeof value === "string";
  if (typeof given !== "object" || given === null || !isText(username) || !isText(password))
    throw new RelayError("store_failed", "credentials must give { username, password }, both texts");
  return { ...given };
}

async function answerOf(ask: () => RedisCredentials | Promise<RedisCredentials>): Promise<RedisCredentials> {
  try {
    return await ask();
  } catch (cause) {
    throw new RelayError("store_failed", `credentials cannot be had: ${messageOf(cause)}`, { cause });
  }
}
