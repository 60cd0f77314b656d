import { type Dispatcher, request } from "undici";

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

/** Posts to the events service and says what became of it. Never rejects. */
export async function postUpstream(
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string | string[]>>,
  {
    dispatcher,
    timeoutMs,
    signal,
  }: { dispatcher: Dispatcher | undefined; timeoutMs: number; signal: AbortSignal },
): Promise<PostOutcome> {
  try {
    const response = await request(url, {
      method: "POST",
      body,
      headers: { ...headers },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal,
      ...(dispatcher === undefined ? {} : { dispatcher }),
    });
    await response.body.dump();
    const { statusCode, headers: answered } = response;
    if (statusCode >= 200 && statusCode < 300) {
      const time = Date.parse(String(answered.date));
      return { kind: "accepted", serverTime: Number.isNaN(time) ? undefined : time };
    }
    const reason = `upstream answered ${statusCode}`;
    const final = statusCode >= 400 && statusCode < 500 && ![400, 408, 429].includes(statusCode);
    return { kind: final ? "refused" : "retryable", reason };
  } catch (error) {
    return { kind: "retryable", reason: error instanceof Error ? error.message : String(error) };
  }
}
