import { checkOptions } from "../check-options.js";
import { PipelineSpecError } from "../error.js";
import type { Problem } from "../problem.js";
import { type ArchiveFile, pipelineFile } from "./archive-file.js";
import { damaged, inflate, tooLarge } from "./inflate.js";
import { tarFiles } from "./tar-files.js";
import { zipFiles } from "./zip-files.js";

/** Settings of `unpackPipeline`. */
export interface UnpackOptions {
  /** How many bytes an archive may unpack to: 32 MiB by default, as the API server allows. */
  readonly maxBytes?: number;
}

/** The pipeline file in an archive, or why there is none. */
export type UnpackResult =
  | {
      readonly ok: true;
      /** Name of the file in the archive; undefined when the bytes are no archive, but the file itself. */
      readonly name: string | undefined;
      readonly bytes: Uint8Array;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Takes the pipeline file out of a `.zip`, `.tar` or `.tar.gz` archive, as the API server does: `pipeline.yaml`, or else the first
 * file; or unpacks a file that is compressed with gzip. Other bytes come back as they are, for `parsePipeline`. Nothing is written,
 * and no archive unpacks to more than `maxBytes` or holds more than 1,000 files. Works in browsers as well, which take several compressed files in a row for
 * damaged. Never throws for what the bytes hold.
 */
export async function unpackPipeline(bytes: Uint8Array, options: UnpackOptions = {}): Promise<UnpackResult> {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("unpackPipeline takes the bytes of a file");
  checkOptions("unpackPipeline", options, { maxBytes: "limit" });
  const { maxBytes = 32 * 1024 * 1024 } = options;
  try {
    return await unpack(bytes, maxBytes);
  } catch (error) {
    if (!(error instanceof PipelineSpecError)) throw error;
    const message = `the archive cannot be read: ${error.message}`;
    return { ok: false, problems: [{ code: "archive", severity: "error", path: "", message }] };
  }
}

async function unpack(bytes: Uint8Array, maxBytes: number): Promise<UnpackResult> {
  const own = new Uint8Array(bytes);
  if (isZip(own)) return fileOf(zipFiles(own, maxBytes), maxBytes);
  if (isTar(own)) return fileOf(tarFiles(own), maxBytes);
  if (!isGzip(own)) return { ok: true, name: undefined, bytes };
  // A tar archive has 1 KB at least around each file.
  const unpacked = await inflate(own, "gzip", maxBytes, 1024 * 1024);
  return isTar(unpacked) ? fileOf(tarFiles(unpacked), maxBytes) : found(undefined, unpacked, maxBytes);
}

async function fileOf(files: Iterable<ArchiveFile>, maxBytes: number): Promise<UnpackResult> {
  const { name, read } = pipelineFile(files);
  return found(name, await read(), maxBytes);
}

function found(name: string | undefined, bytes: Uint8Array, maxBytes: number): UnpackResult {
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  if (isZip(bytes) || isTar(bytes) || isGzip(bytes)) {
    throw damaged("what it holds is an archive as well: unpack that one");
  }
  return { ok: true, name, bytes };
}

const isGzip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x1f, 0x8b);

/** An archive begins with a file, or, if it is empty, with its end. */
const isZip = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0x50, 0x4b, 5, 6);

const startsWith = (bytes: Uint8Array, ...first: number[]): boolean =>
  first.every((byte, i) => bytes[i] === byte);

/** All but the oldest tar archives have a word in their first block; an empty one has a block of zeros. */
const isTar = (bytes: Uint8Array): boolean =>
  startsWith(bytes.subarray(257), ...[..."ustar"].map((char) => char.charCodeAt(0))) ||
  (bytes.length >= 512 && bytes.subarray(0, 512).every((byte) => byte === 0));
