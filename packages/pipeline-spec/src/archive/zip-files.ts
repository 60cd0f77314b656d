import type { ArchiveFile } from "./archive-file.js";
import { crc32 } from "./crc32.js";
import { damaged, inflate, tooLarge } from "./inflate.js";

const endSize = 22;
const longestComment = 65_535;

/** The files of a zip archive, stored or deflated, as its directory lists them. */
export function* zipFiles(bytes: Uint8Array<ArrayBuffer>, maxBytes: number): Generator<ArchiveFile> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfDirectory(view);
  let offset = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (offset + 46 > bytes.length || view.getUint32(offset, true) !== 0x02014b50) {
      throw damaged("its directory is damaged");
    }
    const nameLength = view.getUint16(offset + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(offset + 46, offset + 46 + nameLength));
    const entry: Entry = {
      flags: view.getUint16(offset + 8, true),
      method: view.getUint16(offset + 10, true),
      checksum: view.getUint32(offset + 16, true),
      packed: view.getUint32(offset + 20, true),
      size: view.getUint32(offset + 24, true),
      start: view.getUint32(offset + 42, true),
    };
    if (!name.endsWith("/")) yield { name, read: () => content(bytes, view, entry, maxBytes) };
    offset += 46 + nameLength + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  }
}

interface Entry {
  readonly flags: number;
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly size: number;
  readonly start: number;
}

/** The record at the end of the archive, behind which there may be a comment. */
function endOfDirectory(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - endSize - longestComment);
  for (let at = view.byteLength - endSize; at >= lowest; at--) {
    if (view.getUint32(at, true) === 0x06054b50) return at;
  }
  throw damaged("its directory is missing");
}

async function content(
  bytes: Uint8Array<ArrayBuffer>,
  view: DataView,
  { flags, method, checksum, packed, size, start }: Entry,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if ((flags & 1) !== 0) throw damaged("the file in it is encrypted");
  if (size > maxBytes) throw tooLarge(maxBytes);
  if (start + 30 > bytes.length || view.getUint32(start, true) !== 0x04034b50) {
    throw damaged("the file in it is not where the directory says");
  }
  const data = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
  if (data + packed > bytes.length) throw damaged("the file in it is cut off");
  const raw = bytes.subarray(data, data + packed);
  if (method !== 0 && method !== 8) throw damaged(`the file in it is packed by method ${method}`);
  const unpacked = method === 0 ? raw : await inflate(raw, "deflate-raw", maxBytes);
  if (unpacked.length !== size || crc32(unpacked) !== checksum) {
    throw damaged("the file in it does not have the length and checksum of the directory");
  }
  return unpacked;
}
