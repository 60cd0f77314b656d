/** Why an archive cannot be read. */
export class ArchiveDamage extends Error {
  override readonly name = "ArchiveDamage";
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
      if (length > maxBytes) throw new ArchiveDamage(`it unpacks to more than ${maxBytes} bytes`);
      chunks.push(next.value);
    }
  } catch (error) {
    if (error instanceof ArchiveDamage) throw error;
    throw new ArchiveDamage("its compressed data are damaged", { cause: error });
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
