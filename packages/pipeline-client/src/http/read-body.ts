import { unlessAborted } from "./unless-aborted.js";

/** What could be read of a body. */
export interface ReadBody {
  readonly bytes: Uint8Array;
  /** Why this is not all of it. */
  readonly problem?: string;
  /** What broke it off. */
  readonly cause?: unknown;
}

/**
 * Reads at most `maxBytes`. A connection that breaks and bytes that do not decompress are results; an abort rejects with the
 * signal's reason.
 */
export async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader?.();
  try {
    // A `fetch` of the host may give bodies of another kind.
    if (response.body && !reader) return whole(await unlessAborted(signal, response.arrayBuffer()), maxBytes);
    while (reader) {
      const { done, value } = await unlessAborted(signal, reader.read());
      if (done) break;
      length += value.byteLength;
      if (length > maxBytes) return { bytes: joined(chunks), problem: tooLarge(maxBytes) };
      chunks.push(value);
    }
    return { bytes: joined(chunks) };
  } catch (cause) {
    signal.throwIfAborted();
    return { bytes: joined(chunks), problem: "it was broken off", cause };
  } finally {
    // Frees the connection where the body was left early; how that ends is nobody's business any more.
    reader?.cancel().catch(() => {});
  }
}

function whole(body: ArrayBuffer, maxBytes: number): ReadBody {
  const isTooLarge = body.byteLength > maxBytes;
  const bytes = new Uint8Array(body, 0, Math.min(body.byteLength, maxBytes));
  return isTooLarge ? { bytes, problem: tooLarge(maxBytes) } : { bytes };
}

const tooLarge = (maxBytes: number): string => `it has more than ${maxBytes} bytes`;

/** Chunks of bytes in one piece. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
