import { messageOf, RelayError } from "@wye/relay";
import type { ConsulOptions } from "./consul-options.js";

/** The token for one request. A function of the host may throw and give anything; files end with a line break. */
export async function askForToken(token: ConsulOptions["token"]): Promise<string | undefined> {
  if (typeof token !== "function") return token;
  const given: unknown = await answerOf(token);
  if (typeof given !== "string") {
    const what = Buffer.isBuffer(given) ? 'bytes: read files as "utf8"' : typeof given;
    throw new RelayError("store_failed", `token must give text, and gives ${what}`);
  }
  const text = given.trim();
  if (!/^[\x21-\x7e]+$/.test(text)) {
    const what = text === "" ? "an empty one" : "one with blanks or characters that a header cannot carry";
    throw new RelayError("store_failed", `token must give a token, and gives ${what}`);
  }
  return text;
}

async function answerOf(ask: () => string | Promise<string>): Promise<string> {
  try {
    return await ask();
  } catch (cause) {
    throw new RelayError("store_failed", `token cannot be had: ${messageOf(cause)}`, { cause });
  }
}
