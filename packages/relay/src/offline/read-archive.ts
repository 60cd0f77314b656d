import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { AnnouncedEnvironment } from "../auto-config/announced.js";
import { demandFields } from "../auto-config/fields.js";
import { readAnnouncedEnvironment } from "../auto-config/read-announced.js";
import { malformedData } from "../error.js";
import { messageOf } from "../message-of.js";
import { readTar } from "./read-tar.js";

/** An environment of an archive. */
export interface ArchivedEnvironment {
  /** Its metadata as they stand there. */
  readonly given: unknown;
  readonly announced: AnnouncedEnvironment;
  /** The flags and segments, as JSON text. */
  readonly data: string;
}

/** What stands in the place of an environment, and why it cannot be used. */
export interface BrokenArchived {
  readonly given: unknown;
  readonly problem: string;
}

/** What an archive has. */
export interface Archive {
  /** By the names of their files. */
  readonly environments: ReadonlyMap<string, ArchivedEnvironment | BrokenArchived>;
}

/** As in ld-relay. */
const maxEntryBytes = 200 * 1024 * 1024;
const checksumName = "checksum.md5";
const metadataName = /^[^/]+\.json$/;

/** Tells whether bytes begin as those that gzip makes. */
export function isCompressed(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Reads an archive that upstream has made, compressed or not. Throws a `RelayError` (`malformed_data`) when it is cut off,
 * damaged, has no checksum or another one than its contents, or would take more than that when it is unpacked.
 */
export async function readArchive(bytes: Buffer, maxBytes: number): Promise<Archive> {
  const limits = {
    maxEntryBytes,
    isWanted: (name: string) => metadataName.test(name) || name === checksumName,
  };
  const files = await readTar(limited(unpacked(bytes), maxBytes), limits).catch((cause: unknown) => {
    throw malformedData(`the archive cannot be read: ${messageOf(cause)}`, cause);
  });
  const ids = [...files.keys()]
    .filter((name) => metadataName.test(name) && !name.endsWith("-data.json"))
    .map((name) => name.slice(0, -".json".length));
  demandChecksum(files, ids);
  return { environments: new Map(ids.map((id) => [id, environmentFrom(files, id)])) };
}

function unpacked(bytes: Buffer): AsyncIterable<Buffer> {
  const packed = Readable.from([bytes]);
  if (!isCompressed(bytes)) return packed;
  const gunzip = createGunzip();
  packed.pipe(gunzip);
  return gunzip;
}

/** A small file may be large when it is unpacked. */
async function* limited(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes)
      throw new Error(`unpacked it has more than ${maxBytes} bytes; maxBytes allows for more`);
    yield chunk;
  }
}

/** The digest of the contents of all environments, in the order of their bytes. */
function demandChecksum(files: ReadonlyMap<string, Buffer>, ids: readonly string[]): void {
  const stated = files.get(checksumName);
  if (stated === undefined) throw malformedData(`the archive has no ${checksumName}`);
  const names = ids.flatMap((id) => [`${id}.json`, `${id}-data.json`]);
  const digest = createHash("md5");
  for (const name of names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
    const contents = files.get(name);
    if (contents === undefined) throw malformedData(`the archive has no ${JSON.stringify(name)}`);
    digest.update(contents);
  }
  const actual = digest.digest();
  if (stated.equals(actual)) return;
  throw malformedData(
    `the checksum of the archive is not that of its environments: ${stated.subarray(0, 16).toString("hex")} in the file, ${actual.toString("hex")} of its contents`,
  );
}

function environmentFrom(
  files: ReadonlyMap<string, Buffer>,
  id: string,
): ArchivedEnvironment | BrokenArchived {
  const text = (name: string) => files.get(name)?.toString("utf8") ?? "";
  let given: unknown;
  try {
    given = demandFields(JSON.parse(text(`${id}.json`)), "the metadata").env;
    return { given, announced: readAnnouncedEnvironment(given), data: text(`${id}-data.json`) };
  } catch (error) {
    return { given, problem: messageOf(error) };
  }
}
