import { PipelineSpecError } from "../error.js";

/** Says why an archive cannot be read, up to where that becomes a problem. */
export function damaged(reason: string, options?: ErrorOptions): PipelineSpecError {
  return new PipelineSpecError("archive", "", reason, options);
}

/** Decompresses at most so many bytes; more are a bomb, which is refused before it has gone off. */
export async function inflate(
  bytes: Uint8Array<ArrayBuffer>,
  format: "gzip" | "deflate-raw",
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > maxBytes) throw damaged(`it unpacks to more than ${maxBytes} bytes`);
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
