/** Links with more than this do not open everywhere. */
const mostCharacters = 30_000;
/** What a link may unpack to; more is not meant well. */
const mostBytes = 8 * 1024 * 1024;
const mark = "#text=";

/** The text as the hash of an address, which no server gets to see; `undefined` when it is too long for a link. */
export async function hashOf(text: string): Promise<string | undefined> {
  const packed = await bytesOf(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  // Four letters for three bytes; a call does not take any number of them either.
  if (packed === undefined || (packed.length * 4) / 3 > mostCharacters) return undefined;
  const letters = btoa(String.fromCharCode(...packed));
  const hash = mark + letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return hash.length <= mostCharacters ? hash : undefined;
}

/** Whether an address has a text in its hash. */
export function hasText(hash: string): boolean {
  return hash.startsWith(mark);
}

/** The text that a hash has; `undefined` when it was cut or is something else. */
export async function textOf(hash: string): Promise<string | undefined> {
  try {
    const letters = hash.slice(mark.length).replaceAll("-", "+").replaceAll("_", "/");
    const packed = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
    const unpacked = await bytesOf(
      new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")),
    );
    return unpacked && new TextDecoder("utf-8", { fatal: true }).decode(unpacked);
  } catch {
    // Whichever part of it is broken, there is no text.
    return undefined;
  }
}

/** All bytes of a stream, unless they are too many. */
async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    length += piece.value.length;
    if (length > mostBytes) {
      await reader.cancel();
      return undefined;
    }
    pieces.push(piece.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
