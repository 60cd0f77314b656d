import { unlessAborted } from "./unless-aborted.js";

/** What could be read of a body. */
export interface ReadBody {
  readonly text: string;
  readonly bytes: number;
  /** Why this is not all of it. */
  readonly problem?: string;
  /** What broke it off. */
  readonly cause?: unknown;
}

/**
 * Reads at most `maxBytes`. A connection that breaks, bytes that do not decompress and text that is no UTF-8 are
 * results; an abort rejects with the signal's reason.
 */
export async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<ReadBody> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = response.body?.getReader();
  let text = "";
  let bytes = 0;
  try {
    while (reader) {
      const { done, value } = await unlessAborted(signal, reader.read());
      if (done) break;
      bytes += value.byteLength;
      if (bytes > maxBytes) return { text, bytes, problem: "more than maxBodyBytes" };
      text += decoder.decode(value, { stream: true });
    }
    return { text: text + decoder.decode(), bytes };
  } catch (cause) {
    signal.throwIfAborted();
    return { text, bytes, problem: "broken off", cause };
  } finally {
    // Frees the connection where the body was left early; how that ends is nobody's business any more.
    reader?.cancel().catch(() => {});
  }
}
