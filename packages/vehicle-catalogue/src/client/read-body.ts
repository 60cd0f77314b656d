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

/** Gives a body piece by piece, until it ends or is left. */
interface Pieces extends Pick<AsyncIterator<unknown>, "next"> {
  return?(): Promise<unknown>;
}

/**
 * Reads at most `maxBytes`. A connection that breaks, bytes that do not decompress, text that is no UTF-8 and whatever else an unknown
 * `fetch` makes of a body are results, and so is that the time was up, which the signal tells by this reason; any other abort rejects with its
 * reason.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  timeout?: unknown,
): Promise<ReadBody> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let pieces: Pieces | undefined;
  let text = "";
  let bytes = 0;
  try {
    pieces = piecesOf(response);
    for (;;) {
      const { done, value } = await unlessAborted(signal, pieces.next());
      if (done) return { text: text + decoder.decode(), bytes };
      const piece = typeof value === "string" ? new TextEncoder().encode(value) : (value as Uint8Array);
      bytes += piece.byteLength;
      if (bytes > maxBytes) return { text, bytes, problem: "more than maxBodyBytes" };
      text += decoder.decode(piece, { stream: true });
    }
  } catch (cause) {
    const isLate = signal.aborted && signal.reason === timeout;
    if (!isLate) signal.throwIfAborted();
    return { text, bytes, problem: "broken off", cause: isLate ? timeout : cause };
  } finally {
    void leave(pieces);
  }
}

/** What other libraries for `fetch` may have as a body. */
type AnyBody = Partial<ReadableStream & AsyncIterable<unknown>> | null | undefined;

/** Of a stream of the platform, of one of Node, which older libraries have, or else of a text in one piece. */
function piecesOf(response: Response): Pieces {
  const body: AnyBody = response.body;
  const reader = body?.getReader?.();
  if (reader) return { next: () => reader.read(), return: () => reader.cancel() };
  return body?.[Symbol.asyncIterator]?.() ?? oneText(response);
}

async function* oneText(response: Response): AsyncGenerator<string, void, undefined> {
  yield response.text();
}

/** Frees the connection where the body was left early; how that ends is nobody's business any more. */
async function leave(pieces: Pieces | undefined): Promise<void> {
  try {
    await pieces?.return?.();
  } catch {}
}
