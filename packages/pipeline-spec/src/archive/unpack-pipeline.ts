import { checkOptions } from "../check-options.js";
import { PipelineSpecError } from "../error.js";
import type { Problem } from "../problem.js";
import { pipelineFile } from "./archive-file.js";
import { inflate } from "./inflate.js";
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
 * file. Other bytes come back as they are, for `parsePipeline`. Nothing is written, and no archive unpacks to more than `maxBytes`;
 * works in browsers as well. Never throws for what the bytes hold.
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
  if (startsWith(own, 0x50, 0x4b)) return fileOf(zipFiles(own, maxBytes));
  if (isTar(own)) return fileOf(tarFiles(own));
  if (!startsWith(own, 0x1f, 0x8b)) return { ok: true, name: undefined, bytes };
  // A tar archive has 1 KB at least around each file.
  const unpacked = await inflate(own, "gzip", maxBytes + 1024 * 1024);
  return isTar(unpacked) ? fileOf(tarFiles(unpacked)) : { ok: true, name: undefined, bytes: unpacked };
}

async function fileOf(files: Parameters<typeof pipelineFile>[0]): Promise<UnpackResult> {
  const { name, read } = pipelineFile(files);
  return { ok: true, name, bytes: await read() };
}

const startsWith = (bytes: Uint8Array, ...first: number[]): boolean =>
  first.every((byte, i) => bytes[i] === byte);

/** All but the oldest tar archives have a word in their first block; an empty one has a block of zeros. */
const isTar = (bytes: Uint8Array): boolean =>
  startsWith(bytes.subarray(257), ...[..."ustar"].map((char) => char.charCodeAt(0))) ||
  (bytes.length >= 512 && bytes.subarray(0, 512).every((byte) => byte === 0));
