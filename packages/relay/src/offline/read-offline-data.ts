import { malformedData } from "../error.js";
import type { FlagFile } from "./flag-file-contents.js";
import { parseFlagFile } from "./parse-flag-file.js";
import { type Archive, isCompressed, readArchive } from "./read-archive.js";
import { beginsAsTar } from "./read-tar.js";

/** What a file has of which environments and their flags come. */
export type OfflineData =
  | { readonly format: "archive"; readonly archive: Archive }
  | { readonly format: "flags"; readonly file: FlagFile };

/** People write flags; a file that is larger than this is something else. */
export const maxFlagFileBytes: number = 64 * 1024 * 1024;

/**
 * Reads an archive or a file of flags, whichever it is. Throws a `RelayError` (`malformed_data`) that names the file and
 * says what is wrong with it. `maxBytes` bounds what an archive may take when it is unpacked.
 */
export async function readOfflineData(bytes: Buffer, path: string, maxBytes: number): Promise<OfflineData> {
  if (bytes.length === 0) throw malformedData(`${path} is empty`);
  if (isCompressed(bytes) || beginsAsTar(bytes)) {
    const archive = await readArchive(bytes, maxBytes).catch((error: Error) => {
      throw malformedData(`${path}: ${error.message}`, error);
    });
    return { format: "archive", archive };
  }
  return { format: "flags", file: await parseFlagFile(textOf(bytes, path), path) };
}

/** The text of a file of flags. */
export function textOf(bytes: Buffer, path: string): string {
  if (bytes.length > maxFlagFileBytes)
    throw malformedData(`${path} has more than ${maxFlagFileBytes} bytes: that is no file of flags`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw malformedData(`${path} is neither an archive (tar, tar.gz) nor text in UTF-8`, cause);
  }
}
