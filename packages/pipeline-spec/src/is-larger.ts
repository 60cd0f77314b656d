/** True when a text has more bytes in UTF-8 than allowed. */
export function isLarger(input: string | Uint8Array, maxBytes: number): boolean {
  if (typeof input !== "string") return input.length > maxBytes;
  // A UTF-16 code unit takes one to three bytes.
  if (input.length > maxBytes) return true;
  return input.length * 3 > maxBytes && new TextEncoder().encode(input).length > maxBytes;
}
