import { PipelineSpecError } from "../error.js";

/** Says why an archive cannot be read, up to where that becomes a problem. */
export function damaged(reason: string, options?: ErrorOptions): PipelineSpecError {
  return new PipelineSpecError("archive", "", reason, options);
}

/** Says that there is more in an archive than somebody asked for. */
export function tooLarge(maxBytes: number): PipelineSpecError {
  return damaged(`it unpacks to more than ${maxBytes} bytes`);
}

/**
 * Decompresses at most so many bytes; more are a bomb, which is refused before it has gone off.
 *
 * @param slack  how many bytes more there may be, around the files
 */
export async function inflate(
  bytes: Uint8Array<ArrayBuffer>,
  format: "gzip" | "deflate-raw",
  maxBytes: number,
  slack = 0,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > maxBytes + slack) throw tooLarge(maxBytes);
      chunks.push(next.value);
    }
  } catch (error) {
    if (error instanceof PipelineSpecError) throw error;
    throw damaged("its compressed data are damaged", { cause: error });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  const result = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    result.set(chunk, offset);
    offset += chunk.length;
  }
  return result;
}
