/** The largest body whose memory is kept. */
const maxKept = 2 ** 20;
/** How much is kept of each size: nine of them, so nine megabytes in all. */
const keptBytes = 2 ** 20;
const smallest = 2 ** 12;

// Bodies of all relays of a process come from here: what is used again is still in the caches of the processor.
const kept = new Map<number, ArrayBuffer[]>();

/** Memory for a body that is made now, whatever is in it. */
export function lendBody(size: number): Buffer<ArrayBuffer> {
  let length = smallest;
  while (length < size) length *= 2;
  const memory = length > maxKept ? undefined : kept.get(length)?.pop();
  return Buffer.from(memory ?? Buffer.allocUnsafeSlow(length > maxKept ? size : length).buffer, 0, size);
}

/** Takes the memory of a body back that nobody looks at any more. What is never given back is collected as any other. */
export function giveBackBody({ buffer }: Uint8Array<ArrayBuffer>): void {
  const { byteLength } = buffer;
  if (byteLength > maxKept) return;
  const list = kept.get(byteLength) ?? [];
  kept.set(byteLength, list);
  if ((list.length + 1) * byteLength <= keptBytes) list.push(buffer);
}
