import { type Dispatcher, request } from "undici";
import { orAborted } from "../or-aborted.js";

/** What became of a post. */
export type PostOutcome =
  | {
      readonly kind: "accepted";
      /** What upstream's clock showed, in Unix milliseconds. */
      readonly serverTime: number | undefined;
    }
  /** It may work later: the network, a server that is busy or down. */
  | { readonly kind: "retryable"; readonly reason: string }
  /** It will not work with the same content and key. */
  | { readonly kind: "refused"; readonly reason: string };

/** How much of an answer is read so that its connection can be used again. */
const maxAnswerBytes = 16 * 1024;

/** How a post is made. */
export interface PostOptions {
  readonly dispatcher: Dispatcher | undefined;
  /** How long the answer, and then its body, may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Posts to the events service and says what became of it. Never rejects, and ends when the signal is aborted. */
export async function postUpstream(
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string | string[]>>,
  options: PostOptions,
): Promise<PostOutcome> {
  try {
    options.signal.throwIfAborted();
    return await orAborted(post(url, body, headers, options), options.signal);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
    // A header that cannot be sent now cannot be sent later.
    return { kind: code === "UND_ERR_INVALID_ARG" ? "refused" : "retryable", reason };
  }
}

async function post(
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string | string[]>>,
  { dispatcher, timeoutMs, signal }: PostOptions,
): Promise<PostOutcome> {
  const response = await request(url, {
    method: "POST",
    body,
    headers: { ...headers },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    signal,
    ...(dispatcher === undefined ? {} : { dispatcher }),
  });
  // The status says it all; an answer that goes on and on is cut off.
  await response.body.dump({ limit: maxAnswerBytes, signal: AbortSignal.timeout(timeoutMs) }).catch(() => {});
  const { statusCode, headers: answered } = response;
  if (statusCode >= 200 && statusCode < 300) {
    const time = Date.parse(String(answered.date));
    return { kind: "accepted", serverTime: Number.isNaN(time) ? undefined : time };
  }
  const reason = `upstream answered ${statusCode}`;
  const final = statusCode >= 400 && statusCode < 500 && ![400, 408, 429].includes(statusCode);
  return { kind: final ? "refused" : "retryable", reason };
}
