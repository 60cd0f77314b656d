import type { ArchiveFile } from "./archive-file.js";
import { damaged } from "./inflate.js";

const blockSize = 512;

/** The files of a tar archive in the forms that are in use: ustar, GNU and pax. */
export function* tarFiles(bytes: Uint8Array<ArrayBuffer>): Generator<ArchiveFile> {
  let longName: string | undefined;
  for (let offset = 0; offset + blockSize <= bytes.length; ) {
    const header = bytes.subarray(offset, offset + blockSize);
    if (header.every((byte) => byte === 0)) return;
    const size = sizeOf(header);
    const start = offset + blockSize;
    if (start + size > bytes.length) throw damaged("a file in it is cut off");
    const content = bytes.subarray(start, start + size);
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === "L") longName = text(content);
    else if (type === "x") longName = paxPath(content) ?? longName;
    else {
      const name = longName ?? nameOf(header);
      longName = undefined;
      if (type === "0" || type === "\0") yield { name, read: () => content };
    }
    offset = start + Math.ceil(size / blockSize) * blockSize;
  }
}

function sizeOf(header: Uint8Array): number {
  if (checksumOf(header) !== octal(header.subarray(148, 156))) {
    throw damaged("it is no tar archive, or a damaged one");
  }
  const size = octal(header.subarray(124, 136));
  if (Number.isNaN(size)) throw damaged("a file in it has no size that can be read");
  return size;
}

/** The sum of all bytes, in which those of the sum itself count as blanks. */
function checksumOf(header: Uint8Array): number {
  return header.reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 32 : byte), 0);
}

function octal(field: Uint8Array): number {
  const digits = text(field).trim();
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

function nameOf(header: Uint8Array): string {
  const name = text(header.subarray(0, 100));
  const prefix = text(header.subarray(257, 262)) === "ustar" ? text(header.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** The entry `path` of records such as `18 path=some/name\n`. */
function paxPath(content: Uint8Array): string | undefined {
  return /^\d{1,6} path=([^\n]*)$/m.exec(new TextDecoder().decode(content))?.[1];
}

/** A text that ends at the first zero. */
function text(field: Uint8Array): string {
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}
