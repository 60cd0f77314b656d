/**
 * All that comes, unless it is more than `maxBytes`: then `undefined`, and the rest is not read. A device or a pipe may
 * never end, and the memory of the machine is no bound for it.
 */
export async function readAtMost(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
