import type { Readable } from "node:stream";

/** How much of an answer is read so that its connection can be used again. */
const maxBytes = 16 * 1024;

/** Reads what nobody needs of an answer; one that goes on and on is cut off. Never rejects, and ends when the signal is aborted. */
export async function discard(body: Readable, signal: AbortSignal): Promise<void> {
  const stop = () => body.destroy();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      // Whoever leaves the loop ends the body.
      if (bytes > maxBytes) break;
    }
  } catch {
    // What is not needed may break off.
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
